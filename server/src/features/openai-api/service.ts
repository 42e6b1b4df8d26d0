import type { AgentListener, ModelCall } from '../../kernel/agent/loop.ts'
import { Steps } from '../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { inputUsage } from '../../kernel/llm/estimate-usage.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import { providerProblem } from '../../kernel/llm/provider-errors.ts'
import { allRows } from '../../kernel/store/list.ts'
import { checkResponseFormat, outputOf, requiredOutput } from '../agents/response-format.ts'
import { type AgentRow, agents } from '../agents/service.ts'
import { type AgentSetup, agentRun, factsOf, loadAgent } from '../conversations/turn/agent-setup.ts'
import { runUnstored } from '../conversations/turn/unstored-run.ts'
import { chargedCall } from '../models/calls.ts'
import { connectEmbeddings, resolve } from '../models/service.ts'
import { Annotations } from './annotations.ts'
import { type ChatTools, chatTools } from './caller-tools.ts'
import { clientCallId, type Found, findHandovers, type Handover, storeHandover } from './handover.ts'
import { handoverIdsIn, historyFrom } from './history.ts'
import { rejectUnsupported, withParameters } from './parameters.ts'
import type { ChatBody, EmbeddingsBody, OpenAiModel } from './schema.ts'

export interface Chat {
  setup: AgentSetup
  messages: ModelMessage[]
  tools: ChatTools
  /** What the agent's tools found before it handed calls over. */
  found: Found[]
  body: ChatBody
}

export async function listAgents(ctx: Context, who: Caller) {
  const rows = await allRows((query) => agents.list(ctx, who, query), { status: 'active' })
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

export async function prepareChat(ctx: Context, who: Caller, body: ChatBody): Promise<Chat> {
  const setup = await loadAgent(ctx, who, await agentNamed(ctx, who, body.model))
  rejectUnsupported(body, setup)
  const tools = chatTools(body, setup.tools)
  const output = await outputFor(ctx, who, body.response_format ?? null, setup)
  const handovers = await findHandovers(ctx, who, setup.agent.id, handoverIdsIn(body.messages))
  const messages = historyFrom(who, body.messages, { callerTools: tools.callerTools, handovers })
  return {
    setup: { ...setup, output },
    messages,
    tools,
    found: [...handovers.values()].flatMap(({ found }) => found),
    body,
  }
}

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
    return outputOf(ctx, who, { name: 'object', schema: { type: 'object' }, isAnyObject: true })
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

/** Runs the agent. Only its usage is stored, and what it takes to continue after calls of the client's tools. */
export async function runChat(
  ctx: Context,
  who: Caller,
  { setup, messages, tools, found: foundBefore, body }: Chat,
  { signal, origin, onText }: { signal: AbortSignal; origin: string; onText(delta: string): void },
) {
  const calls: ModelCall[] = []
  const annotations = new Annotations()
  for (const each of foundBefore) annotations.add(each)
  const found: Found[] = []
  let content = ''
  const listener: AgentListener = {
    onText(delta) {
      content += delta
      onText(delta)
    },
    onToolStarted() {},
    onToolFinished({ id, toolId, output: { citations = [] } }) {
      found.push({ id, toolId, citations })
      annotations.add({ id, toolId, citations })
    },
    cited: () => annotations.count,
    onModelCall: (call) => calls.push(call),
  }
  const run = { ...withParameters(agentRun(setup, messages), body), ...tools }
  const steps = new Steps(ctx.now(), ctx.telemetry.turn({ request: who.traceparent ?? null }))
  steps.observer.describe({ workspace: who.workspace, ...factsOf(setup.agent) })
  const userId = who.userId ?? body.user ?? body.safety_identifier ?? null
  const purpose = { agentId: setup.agent.id, userId }
  ctx.people.seen(who.workspace, userId)
  try {
    const { finishReason, handedOver } = await runUnstored(
      ctx,
      who,
      { setup, run, purpose, steps, signal, action: 'ask' },
      listener,
    )
    const sum = (name: 'input' | 'output') => calls.reduce((total, { usage }) => total + usage[name], 0)
    return {
      content,
      annotations: await annotations.of(content, origin),
      toolCalls: handedOver ? await handOver(ctx, who, setup, { userId, run: handedOver, found }) : [],
      finishReason,
      usage: {
        prompt_tokens: sum('input'),
        completion_tokens: sum('output'),
        total_tokens: sum('input') + sum('output'),
      },
    }
  } catch (error) {
    throw providerProblem(error)
  }
}

/** Stores the state of the run. Returns the calls as the client gets them. */
async function handOver(ctx: Context, who: Caller, { agent }: AgentSetup, handover: Handover) {
  const id = await storeHandover(ctx, who, agent.id, handover)
  return handover.run.calls.map(({ name, arguments: values }, index) => ({
    id: clientCallId(id, index),
    type: 'function' as const,
    function: { name, arguments: values },
  }))
}

export async function embed(ctx: Context, who: Caller, body: EmbeddingsBody, signal: AbortSignal) {
  const model = await resolve(ctx.db, who, 'model', body.model, 'embedding')
  const texts = [body.input].flat()
  const purpose = { userId: who.userId ?? body.user ?? null }
  ctx.people.seen(who.workspace, purpose.userId)
  const messages = texts.map((content) => ({ role: 'user' as const, content }))
  const call = { kind: 'embedding' as const, messages, tools: [], maxTokens: 0, signal }
  try {
    const { result, usage } = await chargedCall(ctx, who, purpose, model, call, async () => {
      const { vectors, tokens } = await connectEmbeddings(ctx, who.workspace, model).embed(texts, signal)
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
