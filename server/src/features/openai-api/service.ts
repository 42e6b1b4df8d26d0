import { FoundPassages } from '../../kernel/agent/found-passages.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { inputUsage } from '../../kernel/llm/estimate-usage.ts'
import type { FinishReason, ModelMessage } from '../../kernel/llm/model.ts'
import { providerProblem } from '../../kernel/llm/provider-errors.ts'
import { forRetryingClients } from '../../kernel/llm/retry.ts'
import { allRows } from '../../kernel/store/list.ts'
import { checkResponseFormat, requiredOutput, toRequiredOutput } from '../agents/response-format.ts'
import { type AgentRow, agents } from '../agents/service.ts'
import { loadAgentFor } from '../conversations/binding.ts'
import { refuseUnseenImages } from '../conversations/files/attachments.ts'
import { turnFiles, withFiles } from '../conversations/files/turn-files.ts'
import { seesDocuments } from '../conversations/hidden.ts'
import { chargedCall } from '../models/calls.ts'
import { connectEmbeddings, resolve } from '../models/service.ts'
import { documentsIn } from '../runs/history.ts'
import type { Run } from '../runs/run.ts'
import type { ToolCallView } from '../runs/schema.ts'
import { type AgentSetup, agentRun } from '../runs/setup.ts'
import type { Sink } from '../runs/sink.ts'
import { startUnkept } from '../runs/unkept.ts'
import { annotate } from './annotations.ts'
import { type ChatTools, chatTools } from './caller-tools.ts'
import { type ChatFiles, storeChatFiles } from './chat-files.ts'
import { clientCallId, type Found, findHandedOver, insertHandedOver, newRunId } from './handed-over.ts'
import { historyFrom, runIdsIn } from './history.ts'
import { rejectUnsupported, withParameters } from './parameters.ts'
import type { ChatBody, EmbeddingsBody, OpenAiModel } from './schema.ts'
import { tokenDetails } from './token-details.ts'

export interface Chat {
  setup: AgentSetup
  messages: ModelMessage[]
  tools: ChatTools
  /** Passages that the agent's tools found before it handed calls over. */
  found: Found[]
  files: ChatFiles
  body: ChatBody
}

export async function listAgents(ctx: Context, who: Caller) {
  const rows = await agents.first(ctx, who, allRows({ status: 'active' }))
  return rows.map(asModel)
}

/** Finds an agent by id, or by name if the name is unique. */
export async function getAgent(ctx: Context, who: Caller, reference: string): Promise<OpenAiModel> {
  return asModel(await agents.get(ctx, who, await agentNamed(ctx, who, reference)))
}

const asModel = ({ id, name, created_at }: Pick<AgentRow, 'id' | 'name' | 'created_at'>): OpenAiModel => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(created_at) / 1000),
  owned_by: 'parley',
  name,
})

export async function prepareChat(ctx: Context, who: Caller, body: ChatBody, signal: AbortSignal): Promise<Chat> {
  const setup = await loadAgentFor(ctx, who, await agentNamed(ctx, who, body.model), findPersonId(who, body))
  rejectUnsupported(body, setup)
  const tools = chatTools(body, setup.tools)
  const output = await outputFor(ctx, who, body.response_format ?? null, setup)
  const waiting = await findHandedOver(ctx, who, setup.agent.id, runIdsIn(body.messages))
  const files = await storeChatFiles(ctx, who, body.messages, signal)
  try {
    const known = { callerTools: tools.callerTools, attachments: files.attachments, waiting }
    const messages = historyFrom(who, body.messages, known)
    refuseUnseenImages(
      setup.model,
      messages.findLast(({ role }) => role === 'user'),
    )
    const found = [...waiting.values()].flatMap((chat) => chat.found)
    return { setup: { ...setup, output }, messages, tools, found, files, body }
  } catch (error) {
    await files.remove()
    throw error
  }
}

/** The person that a request is for. A token that is bound to one decides it. */
export const findPersonId = (who: Caller, body: Pick<ChatBody, 'user' | 'safety_identifier'>): string | null =>
  who.userId ?? body.user ?? body.safety_identifier ?? null

async function outputFor(
  ctx: Context,
  who: Caller,
  format: ChatBody['response_format'] | null,
  setup: AgentSetup,
): Promise<AgentSetup['output']> {
  if (!format) return setup.output
  const { type, ...more } = format
  if (type === 'json_object') {
    if (more.json_schema) invalid('response_format.json_schema', 'cannot be combined with type "json_object"')
    return toRequiredOutput(ctx, who, { name: 'object', schema: { type: 'object' }, isAnyObject: true })
  }
  await checkResponseFormat(ctx, who, { type, ...more })
  return requiredOutput(ctx, who, { type, ...more })
}

export async function agentNamed(ctx: Context, who: Caller, reference: string): Promise<string> {
  const agent = await agents.find(ctx.db, who, reference)
  if (agent && agents.sees(who, agent)) return reference
  const query = { page: 1, limit: 2, sort: 'created_at', order: 'desc', q: undefined, fields: undefined } as const
  const { rows, total } = await agents.list(ctx, who, { ...query, where: { name: reference, status: 'active' } })
  if (total > 1) invalid('model', 'matches several agents; use an id')
  return rows[0]?.id ?? notFound('agent', reference)
}

interface ChatOptions {
  signal: AbortSignal
  /** Where this service is reached. */
  origin: string
  onText(delta: string): void
  onReasoning(delta: string): void
}

/** Runs the agent. Only its usage is stored, and what it takes to continue after calls of the client's tools. */
export async function runChat(ctx: Context, who: Caller, chat: Chat, options: ChatOptions) {
  try {
    return await answerChat(ctx, who, chat, options)
  } finally {
    await chat.files.remove()
  }
}

async function answerChat(ctx: Context, who: Caller, chat: Chat, { signal, origin, ...listener }: ChatOptions) {
  const runId = newRunId(ctx)
  const turn = await startChat(ctx, who, chat, runId, signal).catch((error) => {
    throw providerProblem(error)
  })
  forwardText(turn, listener)
  const row = await turn.finished
  const { content, tool_calls, finish_reason, usage } = row
  if (turn.failure !== null) throw providerProblem(turn.failure)
  const { cached, reasoning } = tokenDetails(row)
  const earlier = chat.found.flatMap(({ citations }) => citations.map(({ document_id }) => document_id))
  const sees = await seesDocuments(ctx, who, earlier)
  const toolIds = new Map([...chat.found.map(({ id, toolId }) => [id, toolId] as const), ...tool_calls.map(idAndTool)])
  return {
    content,
    annotations: await annotate(content, turn.found, {
      toolIds,
      origin,
      sees: (id) => !earlier.includes(id) || sees(id),
    }),
    toolCalls: (turn.handedOver?.calls ?? []).map(({ name, arguments: values }, index) => ({
      id: clientCallId(runId, index),
      type: 'function' as const,
      function: { name, arguments: values },
    })),
    finishReason: finish_reason as FinishReason,
    usage: {
      prompt_tokens: usage?.input_tokens ?? 0,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens: usage?.output_tokens ?? 0,
      completion_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: usage?.total_tokens ?? 0,
    },
  }
}

const idAndTool = ({ id, tool_id }: ToolCallView) => [id, tool_id] as const

function forwardText(turn: Run, { onText, onReasoning }: Pick<ChatOptions, 'onText' | 'onReasoning'>): void {
  let seen = 0
  const forward = () => {
    while (seen < turn.length) {
      const event = turn.at(++seen)
      if (event.type === 'text.delta') onText(event.delta)
      if (event.type === 'reasoning.delta') onReasoning(event.delta)
    }
  }
  turn.subscribe(forward)
  forward()
}

async function startChat(
  ctx: Context,
  who: Caller,
  { setup, messages, tools, found: foundBefore, files, body }: Chat,
  runId: string,
  signal: AbortSignal,
): Promise<Run> {
  const { agent } = setup
  const userId = findPersonId(who, body)
  ctx.people.seen(who.workspace, userId)
  const found = new FoundPassages()
  for (const { id, citations } of foundBefore) found.add(id, citations)
  const waits = { id: runId, agentId: agent.id, userId }
  const sink: Sink = {
    end: ({ handedOver, row, found: passages }) =>
      handedOver
        ? [insertHandedOver(ctx, who, waits, { run: handedOver, found: row.tool_calls.map(foundIn(passages)) })]
        : [],
  }
  const run = { ...withParameters(agentRun(setup, messages), body), ...tools, retry: forRetryingClients }
  const documents = documentsIn([...files.attachments.values()].flat())
  const turn = await turnFiles(ctx, who, setup.choices[0], documents)
  return startUnkept(ctx, who, { setup, run: withFiles(ctx, who, run, turn), userId, sink, found }, signal)
}

const foundIn =
  (passages: FoundPassages) =>
  ({ id, tool_id: toolId }: ToolCallView): Found => ({ id, toolId, citations: passages.foundBy(id) })

export async function embed(ctx: Context, who: Caller, body: EmbeddingsBody, signal: AbortSignal) {
  const model = await resolve(ctx.db, who, 'model', body.model, 'embedding')
  const texts = [body.input].flat()
  const purpose = { userId: who.userId ?? body.user ?? null }
  ctx.people.seen(who.workspace, purpose.userId)
  const messages = texts.map((content) => ({ role: 'user' as const, content }))
  const call = { kind: 'embedding' as const, messages, tools: [], maxTokens: 0, signal }
  try {
    const { result, usage } = await chargedCall(ctx, who, purpose, model, call, async () => {
      const { vectors, tokens } = await connectEmbeddings(ctx, who.workspace, model, forRetryingClients).embed(
        texts,
        signal,
      )
      return { result: vectors, usage: tokens === null ? null : inputUsage(tokens) }
    })
    const answer = { vectors: result, tokens: usage.input }
    const own = answer.vectors[0]?.length
    if ((body.dimensions ?? own) !== own) invalid('dimensions', `must be ${own}, the dimensions of the model`)
    return answer
  } catch (error) {
    throw providerProblem(error)
  }
}
