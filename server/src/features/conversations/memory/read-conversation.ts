import { decodeSteps, type Step, type StepFacts } from '../../../kernel/agent/steps.ts'
import type { Context } from '../../../kernel/context.ts'
import { isObject } from '../../../kernel/is-object.ts'
import type { RunningJob } from '../../../kernel/jobs/definition.ts'
import { factsInstruction, type RecalledFact } from '../../../kernel/llm/memory-prompt.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { hour, minute } from '../../../kernel/time.ts'
import { agentModels } from '../../agents/service.ts'
import { recall } from '../../memories/recall.ts'
import { readSettings } from '../../memories/settings.ts'
import { inOwnWords, type Keeper, type NewFact, type WrittenMessage, writeFact } from '../../memories/write.ts'
import { chargedReply } from '../../models/calls.ts'
import { conversations } from '../conversations.ts'
import { changeMessage, decode } from '../message-row.ts'
import type { ConversationRow } from '../store.ts'
import { readerIn, readingQueue, rememberingAgent } from './queue.ts'
import { readWritten } from './written.ts'

/** A conversation is read at most once in this time. A clock that differs a little does not make it wait twice. */
const readEvery = hour - minute
const timeout = 2 * minute
const maxFacts = 20
const maxCharacters = 40_000

/** Reads what a person wrote in a completed conversation, with one model call, and writes the facts in it. */
export async function readConversation(ctx: Context, job: RunningJob): Promise<void> {
  const { payload, attempt, signal } = job
  const workspace = job.workspace ?? ''
  const { conversation: id } = payload as { conversation: string }
  const conversation = await conversations.table.find(ctx.db, workspace, id)
  const who = readerIn(workspace)
  if (!conversation) return
  const agent = await rememberingAgent(ctx.db, workspace, conversation)
  if (agent?.memory?.write !== 'auto' || !(await readSettings(ctx, who)).enabled) return
  const { user_id: userId, memory_read_id } = conversation
  if (userId === null) return
  const messages = newest(await readWritten(ctx.db, workspace, id, memory_read_id ?? ''))
  const last = messages.at(-1)
  if (!last || !(await claim(ctx, conversation, attempt))) return
  const keeper = { workspace, agent, userId }
  const text = messages.map(({ content }) => content).join('\n')
  const { facts: known } = await recall(ctx, who, agent, { userId, question: text })
  const [model] = await agentModels(ctx, who, agent)
  const { step, facts: stepFacts } = noteStep()
  const started = performance.now()
  const answer = await chargedReply(ctx, who, { agentId: agent.id, conversationId: id, userId, step }, model, {
    messages: [
      { role: 'system', content: factsInstruction },
      { role: 'user', content: prompt(messages, known) },
    ],
    temperature: null,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  })
  const written = await writeAll(ctx, keeper, messages, answer)
  await markRead(ctx, conversation, last.id)
  await showWritten(ctx, conversation, written)
  await addStep(ctx, conversation, last.id, {
    ...stepFacts,
    ms: Math.round(performance.now() - started),
    memories: written.map(({ fact }) => ({ id: fact.id, score: null, keyword: null, vector: null })),
  })
}

/** The newest messages that are not too long together. */
function newest(messages: WrittenMessage[]): WrittenMessage[] {
  let characters = 0
  const start = messages.findLastIndex(({ content }) => {
    characters += content.length
    return characters > maxCharacters
  })
  return messages.slice(Math.min(start + 1, messages.length - 1))
}

/**
 * Whether this process may read the conversation now. If it was read within the hour, it is read after it. A repetition does
 * not wait: as a new job it would have all of its attempts again.
 */
async function claim(
  ctx: Context,
  { id, workspace_id, memory_read_at }: ConversationRow,
  attempt: number,
): Promise<boolean> {
  const now = ctx.now()
  const wait = memory_read_at === null || attempt > 1 ? 0 : Number(memory_read_at) + readEvery - now
  return inTransaction(ctx.db, async (tx) => {
    if (wait > 0) {
      const job = { workspace: workspace_id, key: `${id} again`, payload: { conversation: id }, delay: wait }
      await ctx.jobs.enqueue(tx, readingQueue, job)
      return false
    }
    const { numUpdatedRows } = await tx
      .updateTable('conversation')
      .set({ memory_read_at: now })
      .where((is) => is.and({ id, workspace_id }))
      .where('memory_read_at', 'is not distinct from', memory_read_at)
      .executeTakeFirst()
    return Number(numUpdatedRows) > 0
  })
}

/** Messages and facts are quoted, so that none can pretend to be another. */
const prompt = (messages: WrittenMessage[], known: RecalledFact[]): string =>
  [
    'Known facts:',
    ...known.map(({ id, content }) => `${id}: ${JSON.stringify(content)}`),
    '',
    'Messages of the user:',
    ...messages.map(({ content }, at) => `${at + 1}: ${JSON.stringify(content)}`),
  ].join('\n')

interface WrittenFact {
  fact: RecalledFact
  source: WrittenMessage
}

async function writeAll(
  ctx: Context,
  keeper: Keeper,
  messages: WrittenMessage[],
  answer: string,
): Promise<WrittenFact[]> {
  const written: WrittenFact[] = []
  for (const { message, ...fact } of parseFacts(answer).slice(0, maxFacts)) {
    const named = messages[message - 1]
    const own = (named && inOwnWords(fact, [named])) ?? inOwnWords(fact, messages)
    const stored = own && (await writeFact(ctx, keeper, own.fact, own.message))
    if (stored) written.push({ fact: stored, source: own.message })
  }
  return written
}

/** Parses the facts in a model's answer, and skips entries that are not facts. */
function parseFacts(answer: string): (NewFact & { message: number })[] {
  try {
    const list: unknown = JSON.parse(answer.slice(answer.indexOf('['), answer.lastIndexOf(']') + 1))
    return (Array.isArray(list) ? list : []).flatMap((each: unknown) => {
      const { content, message, replaces } = isObject(each) ? each : {}
      if (typeof content !== 'string' || content.trim() === '') return []
      return [{ content, message: Number(message), replaces: typeof replaces === 'string' ? replaces : null }]
    })
  } catch {
    return []
  }
}

async function markRead(ctx: Context, { id, workspace_id }: ConversationRow, last: string): Promise<void> {
  await ctx.db
    .updateTable('conversation')
    .set({ memory_read_id: last })
    .where((is) => is.and({ id, workspace_id }))
    .execute()
}

const reply = (ctx: Context, { id, workspace_id }: ConversationRow, question: string) =>
  ctx.db
    .selectFrom('message')
    .selectAll()
    .where((is) => is.and({ workspace_id, conversation_id: id, parent_id: question, superseded: false }))
    .executeTakeFirst()

/** The replies to the messages that facts come from show these. */
async function showWritten(ctx: Context, conversation: ConversationRow, written: WrittenFact[]): Promise<void> {
  for (const [question, facts] of Map.groupBy(written, ({ source }) => source.id)) {
    const cells = await reply(ctx, conversation, question)
    if (!cells) continue
    const { id, workspace_id, memories } = decode(cells)
    const ids = [...(memories?.written ?? []), ...facts.map(({ fact }) => fact.id)]
    const changes = { memories: { recalled: memories?.recalled ?? [], written: [...new Set(ids)] } }
    await ctx.commits.commit([changeMessage(ctx, { id, workspace_id }, changes)])
  }
}

/** Collects the facts of the model call for a step of the trace. */
function noteStep() {
  const facts: StepFacts = {}
  const note = (more: StepFacts = {}) => void Object.assign(facts, more)
  const step = {
    part(_type: unknown, more?: StepFacts) {
      note(more)
      return step
    },
    note,
    end: note,
    content() {},
    remote() {},
    elapsed: () => 0,
    traceparent: () => null,
  }
  return { step, facts }
}

/** Adds what was read to the trace of the last reply. */
async function addStep(
  ctx: Context,
  conversation: ConversationRow,
  question: string,
  { ms, ...facts }: StepFacts & { ms: number },
): Promise<void> {
  const cells = await reply(ctx, conversation, question)
  const stored = cells && decodeSteps(cells.steps)
  if (!cells || !stored) return
  const step: Step = { ...facts, type: 'remember', at: Math.max(0, ctx.now() - ms - stored.start), ms }
  const steps = JSON.stringify({ ...stored, steps: [...stored.steps, step] })
  await ctx.commits.commit([changeMessage(ctx, cells, { steps })])
}
