import { windowFor } from '../../../kernel/agent/generate.ts'
import { toolSpec } from '../../../kernel/agent/offer.ts'
import { type Steps, stepFailure } from '../../../kernel/agent/steps.ts'
import { defaultWindow, fitWindow, isToolMessage } from '../../../kernel/agent/window.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import { summaryInstruction, summaryText } from '../../../kernel/llm/memory-prompt.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import { minute, timestamp } from '../../../kernel/time.ts'
import { chargedReply } from '../../models/calls.ts'
import type { History, Shorten } from '../../runs/history.ts'
import type { AgentSetup } from '../../runs/setup.ts'
import { type TurnFiles, withDocuments } from '../files/turn-files.ts'
import type { Summary } from '../schema.ts'
import type { ConversationRow } from '../store.ts'
import { storeSummary } from './summary-store.ts'

const timeout = 2 * minute
/** The share of a window that the text to summarize may take. The rest is for the instruction and the summary. */
const maxShare = 0.75

interface Condensed {
  /** The history as it is sent. */
  history: History
  current: Summary | null
  /** The messages before this position should be summarized; null if all fits. */
  cut: number | null
}

/**
 * The history with a summary instead of its beginning, for an agent that summarizes. More is summarized only when the rest no
 * longer fits the model, so that the prompt begins with the same text in most turns.
 */
export async function condense(
  ctx: Context,
  conversation: ConversationRow,
  setup: AgentSetup,
  history: History,
  asked: ModelMessage[] = [],
): Promise<Condensed> {
  const { strategy = 'trim', keep_messages: keep = 20 } = setup.agent.context ?? {}
  if (strategy !== 'summarize') return { history, current: null, cut: null }
  // On another branch the summary may cover messages that this one does not have.
  const summary = conversation.summary && history.rowIds.includes(conversation.summary.up_to_message_id)
  const current = summary ? conversation.summary : null
  const condensed = withSummary(history, current)
  const fitting = await fittingMessages(ctx, setup, [...condensed.messages, ...asked])
  const cut = fitting === null ? null : findCut(condensed, Math.min(keep, fitting))
  return { history: condensed, current, cut }
}

interface Turn {
  who: Caller
  steps: Steps
  conversation: ConversationRow
  setup: AgentSetup
  files: TurnFiles
}

/**
 * Summarizes what no longer fits. The run does this once it holds the conversation, so that of several messages sent at once
 * only the one that is answered pays for a summary. `past`: the messages of the history that the run was prepared with, and
 * `asked` how many follow them.
 */
export function shortenWith(
  ctx: Context,
  turn: Turn,
  { history, current, cut }: Condensed,
  past: readonly ModelMessage[],
  asked: number,
): Shorten | undefined {
  if (cut === null) return undefined
  const dropped = new Set(history.messages.slice(0, cut))
  const droppedCount = past.filter((message) => dropped.has(message)).length
  const sent = past.length + asked
  return async (messages, signal) => {
    const summary = await summarize(ctx, turn, { current, condensed: history, cut }, signal)
    const [first, ...rest] = messages.slice(messages.length - sent + droppedCount)
    if (!summary || first?.role !== 'user') return messages
    const shortened = [{ ...first, parts: [summaryPart(summary), ...(first.parts ?? [])] }, ...rest]
    return [...messages.slice(0, messages.length - sent), ...withDocuments(shortened, turn.files)]
  }
}

const summaryPart = ({ content }: Summary) => ({
  type: 'text' as const,
  text: summaryText(content),
  endsStablePrefix: true,
})

/** The messages after the summary, the first of which carries it. */
function withSummary(history: History, summary: Summary | null): History {
  if (!summary) return history
  const start = history.rowIds.lastIndexOf(summary.up_to_message_id) + 1
  const [first, ...rest] = history.messages.slice(start)
  const part = summaryPart(summary)
  const rowIds = history.rowIds.slice(start)
  if (first?.role !== 'user')
    return {
      ...history,
      messages: [{ role: 'user', content: '', parts: [part] }, ...(first ? [first] : []), ...rest],
      rowIds: [summary.up_to_message_id, ...rowIds],
    }
  return { ...history, messages: [{ ...first, parts: [part, ...(first.parts ?? [])] }, ...rest], rowIds }
}

/** How many messages of people and the agent fit the model; null if all of them do. */
async function fittingMessages(ctx: Context, setup: AgentSetup, messages: ModelMessage[]): Promise<number | null> {
  const [choice] = setup.choices
  const all: ModelMessage[] = [{ role: 'system', content: setup.instructions }, ...messages]
  const limits = windowFor({ maxTokens: setup.agent.max_tokens } as Parameters<typeof windowFor>[0], choice)
  const fitted = await fitWindow(ctx.tokens, all, setup.tools.map(toolSpec), limits)
  const said = (list: ModelMessage[]) => list.filter((message) => !isToolMessage(message)).length - 1
  return said(fitted) === said(all) ? null : said(fitted)
}

/** The position of the first message that stays word for word: a question. Null if there is nothing before it. */
function findCut({ messages, rowIds }: History, keep: number): number | null {
  const rows = [...new Set(rowIds)]
  const first = rows[Math.max(0, rows.length - keep)]
  const questions = [...messages.keys()].filter((at) => messages[at]?.role === 'user')
  const cut = questions.findLast((at) => (rowIds[at] ?? '') <= (first ?? '')) ?? 0
  return cut > 0 ? cut : (questions[1] ?? null)
}

interface Stretch {
  current: Summary | null
  condensed: History
  /** Messages before this position are summarized. */
  cut: number
}

/** Summarizes the messages before the cut, with the summary before them. Null if that fails: then the oldest are left out. */
async function summarize(
  ctx: Context,
  { who, steps, conversation, setup }: Turn,
  { current, condensed, cut }: Stretch,
  cancelled: AbortSignal,
): Promise<Summary | null> {
  const step = steps.start('summary')
  const { id, workspace_id, user_id, evaluation_id } = conversation
  const purpose = { agentId: setup.agent.id, conversationId: id, userId: user_id, evaluationId: evaluation_id, step }
  const rows = [...new Set(condensed.rowIds.slice(0, cut))].filter((row) => row !== current?.up_to_message_id)
  try {
    const content = await chargedReply(ctx, who, purpose, setup.model, {
      messages: [
        { role: 'system', content: summaryInstruction },
        { role: 'user', content: await transcript(ctx, condensed.messages.slice(0, cut), current, setup) },
      ],
      temperature: null,
      signal: AbortSignal.any([cancelled, AbortSignal.timeout(timeout)]),
    })
    const summary = { content, up_to_message_id: rows.at(-1) ?? '', created_at: timestamp(ctx.now()) }
    const isStored =
      content.trim() !== '' &&
      (await storeSummary(ctx, { workspace_id, conversation_id: id }, conversation.revision, summary))
    step.end({ messages: rows.length })
    return isStored ? summary : null
  } catch (error) {
    ctx.log.warn({ error: reason(error), conversation: id }, 'a conversation could not be summarized')
    step.end(stepFailure(error))
    return null
  }
}

/** Keeps queries and the names of what they found, so that the agent can search again. The passages are left out. */
function transcriptLines(message: ModelMessage): string[] {
  if (message.role === 'assistant' && message.toolCalls)
    return message.toolCalls.map(({ name, arguments: input }) => `assistant called ${name} with ${input.slice(0, 500)}`)
  if (message.role === 'tool') {
    const sources = sourcesIn(message.content)
    return sources.length === 0 ? [] : [`${message.name} found passages in ${JSON.stringify(sources)}`]
  }
  return message.content === '' ? [] : [`${message.role}: ${JSON.stringify(message.content)}`]
}

/** The names of the documents in a result. A result that was cut is no JSON any more. */
const sourcesIn = (result: string): string[] => [
  ...new Set(
    [...result.matchAll(/"source":("(?:[^"\\]|\\.)*")/g)].map(([, name]) => JSON.parse(name ?? '""') as string),
  ),
]

/** Each message is quoted, so that none can pretend to be another. The oldest are left out if all are too long. */
async function transcript(
  ctx: Context,
  messages: ModelMessage[],
  current: Summary | null,
  setup: AgentSetup,
): Promise<string> {
  const before = current ? [`Summary of the messages before: ${JSON.stringify(current.content)}`] : []
  const lines = messages.flatMap(transcriptLines)
  const counts = await ctx.tokens.count([...before, ...lines])
  let excess = counts.reduce((sum, tokens) => sum + tokens, 0)
  excess -= Math.floor((setup.choices[0].contextWindow ?? defaultWindow) * maxShare)
  while (excess > 0 && lines.length > 1) {
    excess -= counts[before.length] ?? 0
    counts.splice(before.length, 1)
    lines.shift()
  }
  return [...before, ...lines].join('\n')
}
