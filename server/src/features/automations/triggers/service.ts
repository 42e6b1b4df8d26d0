import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { collection } from '../../../kernel/store/collection.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { findReferrerIds } from '../../../kernel/store/references.ts'
import type { Stored } from '../../../kernel/store/table.ts'
import { timestamp } from '../../../kernel/time.ts'
import { findUnseen } from '../../../kernel/unseen.ts'
import { rotatingSecret, type SecretColumns } from '../../webhooks/rotating-secret.ts'
import { newSecret } from '../../webhooks/signature.ts'
import { type Actor, nextActor, toActor } from '../owner.ts'
import { removeRuns } from '../runs/store.ts'
import { Trigger } from './schema.ts'
import { checkTemplate, isPath } from './template.ts'

type Hidden = Actor & SecretColumns
export type TriggerRow = Stored<Trigger & Hidden>

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    trigger: Omit<TriggerRow, 'secret'> & { workspace_id: string }
    trigger_conversation: { workspace_id: string; trigger_id: string; key: string; conversation_id: string }
  }
}

export const triggerSecret = rotatingSecret('trigger')

const rows = collection<typeof Trigger, Hidden>({
  name: 'trigger',
  shape: Trigger,
  prefix: 'trg',
  kind: 'trigger',
  hides: async (ctx, who) => findReferrerIds(ctx.db, who.workspace, await findUnseen(ctx, who, 'agt')),
  async complete({ ctx, who, next, input, previous }) {
    checkTemplate(next.template)
    if (next.conversation_key !== null && !isPath(next.conversation_key))
      invalid('conversation_key', 'must be a path such as body.ticket.id')
    if (!previous) {
      const secret = triggerSecret.first(ctx, who.workspace, next.id, input.secret as string)
      Object.assign(next, toActor(who), secret)
    } else {
      const isOtherWork = next.agent_id !== previous.agent_id || next.template !== previous.template
      Object.assign(next, await nextActor(ctx, who, previous, isOtherWork))
    }
    delete (next as { secret?: unknown }).secret
  },
  references: ({ agent_id }) => [{ field: 'agent_id', target: agent_id, kind: { noun: 'agent', prefixes: ['agt'] } }],
  removed: ({ tx, who, row }) => removeRuns(tx, who.workspace, row.id),
})

/** Only this response contains the secret. */
async function create(ctx: Context, who: Caller, body: object): Promise<TriggerRow> {
  const secret = newSecret()
  return { ...(await rows.create(ctx, who, { ...body, secret })), secret }
}

export const triggers = { ...rows, bringsUntrusted: true as const, create }

export const rotateSecret = (ctx: Context, who: Caller, id: string): Promise<TriggerRow> =>
  inTransaction(ctx.db, async (tx) => {
    const row = (await rows.table.lock(tx, who.workspace, id)) ?? notFound(rows.kind, id)
    const secret = newSecret()
    const changes = {
      ...triggerSecret.rotate(ctx, who.workspace, row, secret),
      revision: row.revision + 1,
      updated_at: timestamp(ctx.now()),
    }
    await rows.table.update(tx, who.workspace, id, changes)
    await ctx.audit.record(tx, who, { action: 'rotate-secret', kind: rows.kind, id })
    return { ...row, ...changes, secret }
  })
