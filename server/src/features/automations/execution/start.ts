import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import type { RunningJob } from '../../../kernel/jobs/definition.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { hour, timestamp } from '../../../kernel/time.ts'
import { type Preparation, send } from '../../conversations/send.ts'
import { conversations, reopen } from '../../conversations/service.ts'
import { startRun as startEvaluation } from '../../evaluations/runs/service.ts'
import { requestSync } from '../../knowledge-sources/syncs/service.ts'
import { renewRights } from '../../sessions/rights.ts'
import { creatorGone, currentActor, type Owner } from '../owner.ts'
import { activeInLane, findRun, isActive, lockRun, type RunRow, updateRun } from '../runs/store.ts'
import type { Action } from '../schedules/schema.ts'
import { readGrants, type ScheduleRow } from '../schedules/service.ts'
import type { TriggerRow } from '../triggers/service.ts'
import { findOwner, lockOwner, type StartPayload, settle, settleByReply } from './settle.ts'

/** A run waits this long for its conversation to be free. */
const maxBusy = hour

interface Started {
  run: RunRow
  owner: Owner
  who: Caller
}

/** Starts a run. A job that is repeated goes on where the first one stopped, and never asks twice. */
export async function startRun(ctx: Context, { workspace, payload, signal }: RunningJob): Promise<void> {
  const { run: id } = payload as StartPayload
  const found = workspace === null ? undefined : await findRun(ctx.db, workspace, id)
  if (!found || !isActive(found)) return
  try {
    if (found.message_id === null) await renewActor(ctx, found)
    const started = found.message_id === null ? await inTransaction(ctx.db, (tx) => begin(ctx, tx, found)) : undefined
    if (started?.run.conversation_id) await ask(ctx, started, signal)
    await follow(ctx, found, signal)
  } catch (error) {
    if (!(error instanceof Problem) || (isTemporary(error) && !isLate(ctx, found))) throw error
    await settle(ctx, ctx.db, found, { status: 'failed', code: error.code, error: error.message })
  }
}

/** Before the transaction, because the identity provider may have to be asked. */
async function renewActor(ctx: Context, { workspace_id, owner_id }: RunRow): Promise<void> {
  const owner = await findOwner(ctx.db, workspace_id, owner_id)
  if (owner) await renewRights(ctx, workspace_id, owner.actor_token)
}

const isTemporary = ({ code }: Problem): boolean => code === 'conversation_busy' || code === 'overloaded'

const isLate = ({ now }: Context, { due_at }: RunRow): boolean => now() - Date.parse(due_at) > maxBusy

/** Marks the run as running, with its conversation, sync or evaluation run, unless another one of its lane is first. */
async function begin(ctx: Context, tx: Db, { workspace_id, id, owner_id }: RunRow): Promise<Started | undefined> {
  const owner = await lockOwner(tx, workspace_id, owner_id)
  const run = owner && (await lockRun(tx, workspace_id, id))
  if (!run || !isActive(run)) return undefined
  const who = await currentActor(ctx, workspace_id, owner)
  if (!who) {
    await settle(ctx, tx, run, { status: 'failed', code: 'creator_gone', error: creatorGone })
    return undefined
  }
  if (run.status !== 'queued') return { run, owner, who }
  const [first] = await activeInLane(tx, workspace_id, run.lane)
  if (first?.id !== id) return undefined
  if (!owner.enabled) {
    await settle(ctx, tx, run, {
      status: 'skipped',
      code: 'disabled',
      error: 'It was disabled before this run started.',
    })
    return undefined
  }
  const target = await prepareTarget(ctx, tx, who, owner, run)
  const changes = { ...target, status: 'running', started_at: timestamp(ctx.now()) } as const
  return { run: await updateRun(ctx, tx, run, changes), owner, who }
}

const ownAction = (owner: Owner, run: RunRow): Action =>
  'action' in owner
    ? (owner as ScheduleRow).action
    : {
        type: 'message',
        agent_id: (owner as TriggerRow).agent_id,
        conversation_id: run.conversation_id,
        message: run.input ?? '',
      }

async function prepareTarget(ctx: Context, tx: Db, who: Caller, owner: Owner, run: RunRow): Promise<Partial<RunRow>> {
  const { type, agent_id, conversation_id, knowledge_source_id = '', evaluation_id = '' } = ownAction(owner, run)
  if (type === 'sync') return { sync_id: await joined('sync', () => requestSync(ctx, who, knowledge_source_id, tx)) }
  if (type === 'evaluation')
    return { evaluation_run_id: await joined('run_id', () => startEvaluation(ctx, who, evaluation_id, tx)) }
  if (conversation_id) {
    await reopen(ctx, tx, who, conversation_id)
    return { conversation_id }
  }
  const fields = { title: owner.name, variables: {}, metadata: {}, shared: false, experiment_id: null, memory: false }
  const conversation = { agent_id, user_id: who.userId, ...fields }
  return { conversation_id: (await conversations.create(ctx, who, conversation, tx)).id }
}

/** The id of what was started, or of the one that is running already: its end is the end of this run, too. */
async function joined(path: string, start: () => Promise<{ id: string }>): Promise<string> {
  try {
    return (await start()).id
  } catch (error) {
    const running = error instanceof Problem && error.code === 'already_running' ? error.details : undefined
    const id = running?.find((detail) => detail.path === path)?.message
    if (id === undefined) throw error
    return id
  }
}

/** Sends the message of the run, unless an earlier attempt has. */
async function ask(ctx: Context, { run, owner, who }: Started, signal: AbortSignal): Promise<void> {
  const text = ownAction(owner, run).message ?? ''
  try {
    const { finished } = await send(ctx, who, run.conversation_id ?? '', text, {
      adapt: storeReply(ctx, run),
      ...('grants' in owner && { grants: readGrants(owner as ScheduleRow) }),
    })
    await Promise.race([finished, aborted(signal)])
  } catch (error) {
    const now = await findRun(ctx.db, run.workspace_id, run.id)
    if (!now?.message_id) throw error
    signal.throwIfAborted()
  }
}

/** Waits for the end of the reply, if there is one. */
async function follow(ctx: Context, { workspace_id, id }: RunRow, signal: AbortSignal): Promise<void> {
  const asked = await findRun(ctx.db, workspace_id, id)
  if (!asked?.message_id || !isActive(asked)) return
  await Promise.race([ctx.state.runs.find(asked.message_id)?.finished, aborted(signal)])
  await settleByReply(ctx, asked)
}

/** Stores the reply with the run in the transaction that asks. */
const storeReply =
  ({ db }: Context, { id, workspace_id }: RunRow) =>
  (preparation: Preparation): Preparation => {
    const reply = db
      .updateTable('automation_run')
      .set({ message_id: preparation.reply.id })
      .where((is) => is.and({ id, workspace_id, message_id: null }))
    preparation.extraStatements.push(statement(reply, 1))
    return preparation
  }

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
