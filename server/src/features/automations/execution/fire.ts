import { createHash } from 'node:crypto'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem } from '../../../kernel/errors.ts'
import { addressKey } from '../../../kernel/http/access.ts'
import type { Reply, Request } from '../../../kernel/http/app.ts'
import { parseJson, rejectNul } from '../../../kernel/http/json-text.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import { belongsTo, conversations } from '../../conversations/service.ts'
import { signatureFault } from '../../webhooks/signature.ts'
import { creatorGone, currentActor } from '../owner.ts'
import { activeInLane, insertRun } from '../runs/store.ts'
import { type TriggerRow, triggerSecret, triggers } from '../triggers/service.ts'
import { render, toText, valueAt } from '../triggers/template.ts'
import { enqueueStart } from './settle.ts'

const maxBodyShown = 4 * 1024
/** Webhooks of one conversation that have not ended. */
const maxQueued = 100
/** Seconds. */
const retryAfter = 60

interface Fired {
  run_id: string
  conversation_id: string
}

/** Starts a run for a webhook. Failed signatures count against the rate limit of the address, others against the trigger's. */
export async function fire(ctx: Context, request: Request, reply: Reply): Promise<Fired> {
  const { id } = request.params as { id: string }
  const raw = request.rawBody ?? Buffer.alloc(0)
  const found = await findAnywhere(ctx.db, id)
  const fault = found
    ? signatureFault(request.headers, raw, triggerSecret.open(ctx, found.workspace_id, found), ctx.now())
    : null
  const { limiter, config } = ctx
  await limiter.count(reply, found && fault === null ? `trigger ${id}` : addressKey(request), config.rateLimit)
  if (!found) return notFound(triggers.kind, id)
  if (fault !== null)
    throw new Problem('invalid_signature', `The signature is not valid. ${fault}.`, { details: [detail(fault)] })
  if (!found.enabled) throw new Problem('disabled', 'This trigger is disabled.')
  if (raw.length === 0) invalid('body', 'must be JSON')
  const body = await parseJson(raw)
  return inTransaction(ctx.db, (tx) => insert(ctx, tx, found, String(request.headers['webhook-id']), raw, body))
}

const detail = (fault: string) => {
  const [path = '', message = ''] = fault.split(': ', 2)
  return { path, message }
}

/** The id alone finds it: there is no token that names the workspace, and the signature is checked next. */
const findAnywhere = (db: Db, id: string) =>
  db.selectFrom('trigger').selectAll().where('id', '=', id).executeTakeFirst()

type Found = NonNullable<Awaited<ReturnType<typeof findAnywhere>>>

async function insert(ctx: Context, tx: Db, found: Found, event: string, raw: Buffer, body: unknown): Promise<Fired> {
  const { workspace_id: workspace, id } = found
  const trigger = (await triggers.table.lock(tx, workspace, id)) ?? notFound(triggers.kind, id)
  const earlier = await tx
    .selectFrom('automation_run')
    .select(['id', 'conversation_id'])
    .where('workspace_id', '=', workspace)
    .where('owner_id', '=', id)
    .where('event_id', '=', event)
    .executeTakeFirst()
  if (earlier) return { run_id: earlier.id, conversation_id: earlier.conversation_id ?? '' }
  const input = render(trigger.template, body)
  rejectNul('body', input)
  const who = await currentActor(ctx, workspace, trigger)
  if (!who) throw new Problem('disabled', creatorGone)
  const conversation = await findConversation(ctx, tx, who, trigger, body)
  const active = await activeInLane(tx, workspace, conversation)
  if (active.length >= maxQueued)
    throw new Problem(
      'rate_limited',
      `${maxQueued} earlier webhooks of this conversation wait. Send this one again later.`,
      {
        headers: { 'retry-after': String(retryAfter) },
      },
    )
  const run = await insertRun(ctx, tx, {
    workspace_id: workspace,
    owner_id: id,
    lane: conversation,
    event_id: event,
    due_at: timestamp(ctx.now()),
    conversation_id: conversation,
    input: input.toWellFormed(),
    body: shownBody(raw),
  })
  if (!run) throw new Error('A run of a trigger has no due time that another could have.')
  await enqueueStart(ctx, tx, workspace, run.id)
  return { run_id: run.id, conversation_id: conversation }
}

/** Cut between characters. */
const shownBody = (raw: Buffer): string =>
  new TextDecoder().decode(raw.subarray(0, maxBodyShown), { stream: true }).replaceAll('\0', '')

/** The conversation of the value of `conversation_key`, unless it was deleted; else a new one. */
async function findConversation(
  ctx: Context,
  tx: Db,
  who: Caller,
  trigger: TriggerRow,
  body: unknown,
): Promise<string> {
  const { workspace } = who
  const { id, agent_id, name, conversation_key } = trigger
  const value = conversation_key === null ? undefined : valueAt(body, conversation_key)
  const isKeyed = value !== undefined && value !== null
  const key = createHash('sha256').update(toText(value)).digest('hex')
  const known = isKeyed
    ? await tx
        .selectFrom('trigger_conversation')
        .select('conversation_id')
        .where((is) => is.and({ workspace_id: workspace, trigger_id: id, key }))
        .executeTakeFirst()
    : undefined
  const current = known && (await conversations.table.find(tx, workspace, known.conversation_id))
  if (current && (await belongsTo(tx, current, agent_id))) return current.id
  const fields = { title: name, variables: {}, metadata: {}, shared: false, experiment_id: null, memory: false }
  const conversation = { agent_id, user_id: who.userId, ...fields }
  const { id: conversation_id } = await conversations.create(ctx, who, conversation, tx)
  if (isKeyed)
    await tx
      .insertInto('trigger_conversation')
      .values({ workspace_id: workspace, trigger_id: id, key, conversation_id })
      .onConflict((on) => on.columns(['workspace_id', 'trigger_id', 'key']).doUpdateSet({ conversation_id }))
      .execute()
  return conversation_id
}
