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
import type { History } from '../../runs/history.ts'
import type { AgentSetup } from '../../runs/setup.ts'
import type { Summary } from '../schema.ts'
import type { ConversationRow } from '../store.ts'
import { storeSummary } from './summary-store.ts'

const timeout = 2 * minute
/** The share of a window that the text to summarize may take. The rest is for the instruction and the summary. */
const maxShare = 0.75

/**
 * The history with a summary instead of its beginning, for an agent that summarizes. Only when the rest no longer fits the
 * model, more of it is summarized: until then the prompt begins with the same text in every turn.
 */
export async function condense(
  ctx: Context,
  who: Caller,
  steps: Steps,
  conversation: ConversationRow,
  setup: AgentSetup,
  history: History,
  asked: ModelMessage[] = [],
): Promise<History> {
  const { strategy = 'trim', keep_messages: keep = 20 } = setup.agent.context ?? {}
  if (strategy !== 'summarize') return history
  // On another branch the summary may cover messages that this one does not have.
  const summary = conversation.summary && history.rowIds.includes(conversation.summary.up_to_message_id)
  const current = summary ? conversation.summary : null
  const condensed = withSummary(history, current)
  const fitting = await fittingMessages(ctx, setup, [...condensed.messages, ...asked])
  if (fitting === null) return condensed
  const cut = findCut(condensed, Math.min(keep, fitting))
  if (cut === null) return condensed
  const next = await summarize(ctx, who, steps, conversation, setup, { current, condensed, cut })
  return next ? withSummary(history, next) : condensed
}

/** The messages after the summary, the first of which carries it. */
function withSummary(history: History, summary: Summary | null): History {
  if (!summary) return history
  const start = history.rowIds.lastIndexOf(summary.up_to_message_id) + 1
  const [first, ...rest] = history.messages.slice(start)
  const part = { type: 'text' as const, text: summaryText(summary.content), endsStablePrefix: true }
  const rowIds = history.rowIds.slice(start)
  if (first?.role !== 'user')
    return {
      ...history,
      messages: [{ role: 'user', content: '', parts: [part] }, ...(first ? [first] : []), ...rest],
      rowIds: [summary.up_to_message_id, ...rowIds],
    }
  return { ...history, messages: [{ ...first, parts: [part, ...(first.parts ?? [])] }, ...rest], rowIds }
}

/** Null if everything that people and the agent said fits the model, else how many messages of it do. */
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
  who: Caller,
  steps: Steps,
  conversation: ConversationRow,
  setup: AgentSetup,
  { current, condensed, cut }: Stretch,
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
      signal: AbortSignal.timeout(timeout),
    })
    const summary = { content, up_to_message_id: rows.at(-1) ?? '', created_at: timestamp(ctx.now()) }
    const isStored =
      content.trim() !== '' && (await storeSummary(ctx, { workspace_id, conversation_id: id }, summary, rows))
    step.end({ messages: rows.length })
    return isStored ? summary : null
  } catch (error) {
    ctx.log.warn({ error: reason(error), conversation: id }, 'a conversation could not be summarized')
    step.end(stepFailure(error))
    return null
  }
}

/** Each message is quoted, so that none can pretend to be another. The oldest are left out if all are too long. */
async function transcript(
  ctx: Context,
  messages: ModelMessage[],
  current: Summary | null,
  setup: AgentSetup,
): Promise<string> {
  const before = current ? [`Summary of the messages before: ${JSON.stringify(current.content)}`] : []
  const said = messages.filter((message) => !isToolMessage(message) && message.content !== '')
  const lines = said.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`)
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
