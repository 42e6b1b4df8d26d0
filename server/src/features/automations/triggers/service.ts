import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import type { Sealed } from '../../../kernel/secrets/sealed.ts'
import { collection } from '../../../kernel/store/collection.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { findReferrerIds } from '../../../kernel/store/references.ts'
import type { Stored } from '../../../kernel/store/table.ts'
import { day, timestamp } from '../../../kernel/time.ts'
import { findUnseen } from '../../../kernel/unseen.ts'
import { newSecret } from '../../webhooks/signature.ts'
import { type Actor, nextActor, toActor } from '../owner.ts'
import { removeRuns } from '../runs/store.ts'
import { Trigger } from './schema.ts'
import { checkTemplate, isPath } from './template.ts'

type Hidden = Actor & {
  secret_sealed: string
  /** JSON of `PreviousSecret[]`, newest first. */
  previous_secrets: string
}
interface PreviousSecret {
  sealed: string
  until: number
}
export type TriggerRow = Stored<Trigger & Hidden>

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    trigger: Omit<TriggerRow, 'secret'> & { workspace_id: string }
    trigger_conversation: { workspace_id: string; trigger_id: string; key: string; conversation_id: string }
  }
}

const previousSecretTtl = day
const maxPreviousSecrets = 5

const secretContext = (workspace: unknown, id: unknown): string => `${workspace} trigger ${id} secret`

export const sealedSecrets: Sealed = {
  table: 'trigger',
  columns: ['secret_sealed', 'previous_secrets'],
  change(row, change) {
    const context = secretContext(row.workspace_id, row.id)
    const previous = JSON.parse(row.previous_secrets as string) as PreviousSecret[]
    return {
      secret_sealed: change(row.secret_sealed as string, context),
      previous_secrets: JSON.stringify(previous.map((each) => ({ ...each, sealed: change(each.sealed, context) }))),
    }
  },
}

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
      const sealed = ctx.secrets.seal(input.secret as string, secretContext(who.workspace, next.id))
      Object.assign(next, toActor(who), { secret_sealed: sealed, previous_secrets: '[]' })
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

const previousSecrets = ({ previous_secrets }: Hidden, now: number): PreviousSecret[] =>
  (JSON.parse(previous_secrets) as PreviousSecret[]).filter(({ until }) => until > now)

/** The previous secret stays valid for another day, so that senders can switch without losing webhooks. */
export const rotateSecret = (ctx: Context, who: Caller, id: string): Promise<TriggerRow> =>
  inTransaction(ctx.db, async (tx) => {
    const row = (await rows.table.lock(tx, who.workspace, id)) ?? notFound(rows.kind, id)
    const secret = newSecret()
    const replaced = { sealed: row.secret_sealed, until: ctx.now() + previousSecretTtl }
    const changes = {
      secret_sealed: ctx.secrets.seal(secret, secretContext(who.workspace, id)),
      previous_secrets: JSON.stringify([replaced, ...previousSecrets(row, ctx.now())].slice(0, maxPreviousSecrets)),
      revision: row.revision + 1,
      updated_at: timestamp(ctx.now()),
    }
    await rows.table.update(tx, who.workspace, id, changes)
    await ctx.audit.record(tx, who, { action: 'rotate-secret', kind: rows.kind, id })
    return { ...row, ...changes, secret }
  })

/** The secrets that are valid now. */
export function openSecrets(ctx: Context, workspace: string, row: Hidden & { id: string }): string[] {
  const open = (sealed: string) => ctx.secrets.open(sealed, secretContext(workspace, row.id))
  return [row.secret_sealed, ...previousSecrets(row, ctx.now()).map(({ sealed }) => sealed)].map(open)
}
