import { withGrants } from '../../../kernel/agent/grants.ts'
import type { HandedOver } from '../../../kernel/agent/loop.ts'
import { Steps, type TurnFacts } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, unknownReference } from '../../../kernel/errors.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { timestamp } from '../../../kernel/time.ts'
import { type ResponseFormat, requiredOutput, toRequiredOutput } from '../../agents/response-format.ts'
import type { AgentRow } from '../../agents/service.ts'
import { type ModelRow, models } from '../../models/service.ts'
import type { Shorten } from '../../runs/history.ts'
import { maxHistoryMessages, questionMessage, toHistory } from '../../runs/history.ts'
import { blankMessage, blankReply, type Common, type MessageRow } from '../../runs/reply.ts'
import { type AgentSetup, agentRun, loadAgent, type PreparedRun, toModelChoice, turnFacts } from '../../runs/setup.ts'
import type { Price } from '../../usage/cost.ts'
import { bindingFrom } from '../binding.ts'
import { activation, ancestors, type BranchNode, branchNodes, readPath, withVersions } from '../branches.ts'
import { attachedFiles, refuseUnseenImages, requireSight } from '../files/attachments.ts'
import { attachStatements } from '../files/store.ts'
import { imageLoader, withFiles } from '../files/turn-files.ts'
import { readHistory } from '../history.ts'
import { recalledFields, recallInStep, withMemoryTools, withRecalled } from '../memory/turn-memory.ts'
import type { ConversationRow } from '../store.ts'
import type { AwaitingApproval } from '../waiting/awaiting-approval.ts'
import { auditStatements, authorFields } from './author.ts'
import type { HistoryCache } from './history-cache.ts'
import { readPast } from './read-past.ts'

/** Everything a turn needs, read before anything is written. */
export interface Preparation {
  conversation: ConversationRow
  conversationChanges: Partial<Pick<ConversationRow, 'title'>>
  question: MessageRow | null
  reply: MessageRow
  /** Committed in the transaction that starts the turn. */
  extraStatements: Statement[]
  run: PreparedRun
  shorten?: Shorten
  /** Identifies the turn in its trace and its approvals. */
  facts: TurnFacts
  steps: Steps
  prices: Map<string, Price | null>
  /** Returns statements for the transaction that ends the turn with calls that the caller makes. */
  onHandedOver?(handedOver: HandedOver): Statement[]
}

/** The same for a turn that is resumed: its steps go on. */
export type Resumption = Omit<Preparation, 'steps'>

const titleLength = 80

/** The messages since `after`: calls that were handed over, and the results that the caller has sent for them. */
export interface Continued {
  after: string
  messages: ModelMessage[]
}

interface Question {
  /** Empty if there are only results. */
  text: string
  attachments?: readonly { file_id: string }[]
  continued?: Continued | undefined
  /** Whether the caller adds tools to those of the agent. */
  hasCallerTools?: boolean | undefined
  /** The reply that it follows, null for a first message. */
  parent?: string | null | undefined
  pinned?: AgentRow | null
  /** Instead of the agent's. */
  format?: ResponseFormat | null
}

export async function prepareTurn(
  ctx: Context,
  who: Caller,
  histories: HistoryCache,
  conversation: ConversationRow,
  { text, attachments: fileIds = [], parent = conversation.last_message_id, ...options }: Question,
): Promise<Preparation> {
  const { pinned = null, format = null, continued, hasCallerTools = false } = options
  const attachments = await attachedFiles(ctx, who, fileIds)
  const isNext = parent === conversation.last_message_id && !continued
  const fork = isNext ? null : await forkAt(ctx, who, conversation, parent)
  const steps = startSteps(ctx, who, conversation)
  const setup = await withMemoryTools(
    ctx,
    who,
    conversation,
    await loadInStep(ctx, who, steps, conversation, { pinned, format }),
  )
  requireSight(setup.model, attachments)
  const read = async () => {
    if (!fork) return histories.get(conversation)
    const path = continued ? fork.path.filter((node) => node.id <= continued.after) : fork.path
    const history = toHistory(await readPath(ctx.db, who.workspace, path, maxHistoryMessages), parent)
    if (!continued) histories.replace(conversation, history)
    return history
  }
  const isAsked = text !== '' || attachments.length > 0
  const recalled = isAsked ? await recallInStep(ctx, who, steps, conversation, setup.agent, text) : null
  const asked = [
    ...(continued?.messages ?? []),
    ...(isAsked ? [withRecalled(questionMessage(text, attachments), recalled)] : []),
  ]
  const { past, files, shorten } = await readPast(ctx, who, steps, conversation, setup, read, {
    attachments,
    hasCallerTools,
    asked,
  })
  const now = ctx.now()
  const common = commonFields(conversation, now)
  const id = ctx.newId('msg', parent)
  const parent_id = parent ?? conversation.id
  const question: MessageRow = {
    ...blankMessage({ ...common, id, parent_id, role: 'user' }),
    content: text,
    attachments,
    ...authorFields(who, conversation),
  }
  return {
    conversation,
    conversationChanges: conversation.title === null ? { title: text.slice(0, titleLength).toWellFormed() } : {},
    question,
    reply: {
      ...blankReply(ctx, { ...common, parent_id: id }, setup, id),
      response_format: format,
      ...recalledFields(recalled),
    },
    extraStatements: [
      ...(recalled?.statements ?? []),
      ...(fork?.statements ?? []),
      ...attachStatements(ctx, question),
      ...auditStatements(ctx, who, question),
    ],
    run: withFiles(ctx, who, agentRun(setup, [...past, ...asked]), files),
    ...(shorten && { shorten }),
    facts: turnFacts(setup.agent),
    steps,
    prices: setup.prices,
  }
}

/** Makes the branch that ends with a reply the active one. */
async function forkAt(
  ctx: Context,
  who: Caller,
  { id }: ConversationRow,
  parent: string | null,
): Promise<{ path: BranchNode[]; statements: Statement[] }> {
  const all = await branchNodes(ctx.db, who.workspace, id)
  const path = parent === null ? [] : ancestors(all, parent)
  if (parent !== null && path.length === 0) unknownReference('parent_message_id', 'message', parent)
  if (path.at(-1)?.role === 'user') invalid('parent_message_id', 'names a question, and a message follows a reply')
  return { path, statements: activation(ctx, who.workspace, all, path) }
}

function startSteps(
  ctx: Context,
  who: Caller,
  { id, workspace_id }: Pick<ConversationRow, 'id' | 'workspace_id'>,
): Steps {
  const steps = new Steps(ctx.now(), ctx.telemetry.turn({ request: who.traceparent ?? null }))
  steps.observer.describe({ workspace: workspace_id, conversationId: id })
  return steps
}

async function loadInStep(
  ctx: Context,
  who: Caller,
  steps: Steps,
  conversation: ConversationRow,
  { pinned = null, format }: Pick<Question, 'pinned' | 'format'>,
): Promise<AgentSetup> {
  const { agent_id, variables } = conversation
  const options = { pinned, variables, binding: bindingFrom(conversation) }
  const setup = await steps.run('agent', () => loadAgent(ctx, who, agent_id, options))
  steps.observer.describe(turnFacts(setup.agent))
  return format ? { ...setup, output: requiredOutput(ctx, who, format) } : setup
}

/** Prepares another reply to the same question. The replaced reply stays as an earlier version, outside of the active branch. */
export async function prepareRegeneration(
  ctx: Context,
  who: Caller,
  histories: HistoryCache,
  conversation: ConversationRow,
  replaced: MessageRow,
): Promise<Preparation> {
  const steps = startSteps(ctx, who, conversation)
  const { response_format: format } = replaced
  const loaded = await loadInStep(ctx, who, steps, conversation, { format })
  const setup = await withMemoryTools(ctx, who, conversation, loaded)
  histories.invalidate(conversation.id) // it ends with the reply that is replaced
  const read = async () => {
    const rows = await readHistory(ctx.db, who.workspace, conversation.id, maxHistoryMessages)
    return toHistory(rows.filter((row) => row.id < replaced.id).reverse())
  }
  const { past, files, shorten } = await readPast(ctx, who, steps, conversation, setup, read)
  const asked = past.pop()
  refuseUnseenImages(setup.model, asked)
  const recalled = asked ? await recallInStep(ctx, who, steps, conversation, setup.agent, asked.content) : null
  if (asked) past.push(withRecalled(asked, recalled))
  const common = { ...commonFields(conversation, ctx.now()), parent_id: replaced.parent_id }
  const reply = { ...blankReply(ctx, common, setup, replaced.id), response_format: format }
  const [{ versions = [replaced.id] } = replaced] = await withVersions(ctx.db, [replaced])
  return {
    conversation,
    conversationChanges: {},
    question: null,
    reply: { ...reply, ...recalledFields(recalled), versions: [...versions, reply.id] },
    extraStatements: [supersede(ctx, replaced), ...(recalled?.statements ?? [])],
    run: withFiles(ctx, who, agentRun(setup, past), files),
    ...(shorten && { shorten }),
    facts: turnFacts(setup.agent),
    steps,
    prices: setup.prices,
  }
}

const supersede = ({ db }: Context, { id, workspace_id }: MessageRow): Statement =>
  statement(
    db
      .updateTable('message')
      .set({ superseded: true })
      .where('id', '=', id)
      .where('workspace_id', '=', workspace_id)
      .where('superseded', '=', false),
    1,
  )

/** Prepares to resume a paused turn with the models it started with that still exist, and those of its tools that the agent still has. */
export async function prepareResumption(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  { modelIds, toolIds, pause, format, asker: _, ...settings }: AwaitingApproval,
): Promise<Omit<Resumption, 'reply'>> {
  const { agent_id, variables } = conversation
  const loaded = await loadAgent(ctx, who, agent_id, { variables, binding: bindingFrom(conversation) })
  const setup = await withMemoryTools(ctx, who, conversation, loaded)
  const known: ModelRow[] = []
  for (const id of modelIds) known.push(...[(await models.find(ctx.db, who, id)) ?? []].flat())
  const choices = known.map((model) => toModelChoice(ctx, who, model))
  const prices = new Map(known.map((model) => [model.id, model.pricing]))
  return {
    conversation,
    facts: turnFacts(setup.agent),
    conversationChanges: {},
    question: null,
    extraStatements: [],
    run: {
      models: choices.length > 0 ? choices : setup.choices,
      messages: pause.messages,
      loadImage: imageLoader(ctx, who.workspace),
      tools: withGrants(
        setup.tools.filter(({ id }) => toolIds.includes(id)),
        settings.grants,
      ),
      ...settings,
      output: format ? toRequiredOutput(ctx, who, format) : null,
      canPause: true,
    },
    prices: choices.length > 0 ? prices : setup.prices,
  }
}

export const commonFields = (conversation: ConversationRow, now: number): Common => ({
  workspace_id: conversation.workspace_id,
  conversation_id: conversation.id,
  timestamp: timestamp(now),
  alive_at: now,
  agent_id: conversation.agent_id,
  user_id: conversation.user_id,
  evaluation_id: conversation.evaluation_id,
  asked_by_agent: conversation.parent_message_id !== null,
})
