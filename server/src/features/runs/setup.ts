import type { ModelChoice } from '../../kernel/agent/generate.ts'
import type { AgentRun } from '../../kernel/agent/loop.ts'
import type { TurnFacts } from '../../kernel/agent/steps.ts'
import type { RequiredOutput } from '../../kernel/agent/structured.ts'
import { toToolName } from '../../kernel/agent/tool-names.ts'
import { type AgentTool, loadTools } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import { defaultVersion } from '../../kernel/store/labels.ts'
import { requiredOutput } from '../agents/response-format.ts'
import { type AgentRow, agentModels, agentSampling, agents, agentToolChoice } from '../agents/service.ts'
import { agentVersion } from '../agents/versions.ts'
import { connect, contextWindow, effectiveEndpoint, type ModelRow, seesImages } from '../models/service.ts'
import { renderPrompt } from '../prompt-templates/service.ts'
import type { Price } from '../usage/cost.ts'

/** A run without the fields that `Runs` adds when it starts. */
export type PreparedRun = Omit<AgentRun, 'signal' | 'tokens' | 'steps' | 'computeCost'>

/** An agent with its models, prompt and tools, independent of a conversation. */
export interface AgentSetup {
  agent: AgentRow
  /** The label that chose its version. */
  label: string | null
  instructions: string
  /** The agent's model, then its fallbacks. */
  choices: [ModelChoice, ...ModelChoice[]]
  model: ModelRow
  prices: Map<string, Price | null>
  tools: AgentTool[]
  /** The required format of its replies. Null for plain text. */
  output: RequiredOutput | null
}

type Variables = Record<string, string>

/** The version of an agent that a conversation is bound to. */
export interface Binding {
  agentId: string
  version: number
  label: string | null
}

interface LoadOptions {
  pinned?: AgentRow | null
  variables?: Variables
  binding?: Binding | null
}

/**
 * Loads the agent as it was pinned, in the version that the conversation is bound to, or as it answers by default, with the
 * variables of the conversation in its prompt.
 */
export async function loadAgent(
  ctx: Context,
  who: Caller,
  agentId: string,
  { pinned = null, variables = {}, binding = null }: LoadOptions = {},
): Promise<AgentSetup> {
  const bound = binding?.agentId === agentId ? binding : null
  const load = () => readAgent(ctx, who, agentId, pinned, bound)
  const key = bound ? `agent ${agentId} ${bound.version} ${bound.label}` : `agent ${agentId}`
  const { prompt, ...setup } = pinned ? await load() : await ctx.cache.get(who, key, load)
  if (!pinned && !agents.sees(who, setup.agent)) throw missingAgent(agentId)
  return {
    ...setup,
    instructions: prompt(variables),
    tools: await loadTools(ctx, who, setup.agent.tools, await handoffTools(ctx, who, setup.agent)),
    output: requiredOutput(ctx, who, setup.agent.response_format),
  }
}

const handoffParameters = {
  type: 'object',
  properties: { reason: { type: 'string', description: 'Why you pass it on, in one sentence.' } },
}

/** One tool per agent that the conversation can be passed on to. */
async function handoffTools(ctx: Context, who: Caller, { handoffs = [] }: AgentRow): Promise<AgentTool[]> {
  if (handoffs.length === 0) return []
  const rows = await Promise.all(handoffs.map((id) => agents.find(ctx.db, who, id)))
  return rows.flatMap((agent) => {
    if (agent?.status !== 'active' || !agents.sees(who, agent)) return []
    const { id, name, description, revision } = agent
    const purpose = `Passes the conversation on to the agent "${name}", which then answers the user.`
    return [
      {
        id: `handoff ${id}`,
        kind: 'agent',
        revision,
        handoff: id,
        name: toToolName(`transfer_to_${name}`),
        description: description === null ? purpose : `${purpose} ${description}`,
        parameters: handoffParameters,
        run: async () => ({ content: '' }),
      },
    ]
  })
}

type StoredSetup = Omit<AgentSetup, 'tools' | 'instructions' | 'output'> & { prompt(variables: Variables): string }

async function readAgent(
  ctx: Context,
  who: Caller,
  agentId: string,
  pinned: AgentRow | null,
  bound: Binding | null,
): Promise<StoredSetup> {
  const row = pinned ?? (await agents.find(ctx.db, who, agentId))
  if (!row) throw missingAgent(agentId)
  const { version, label } = pinned ? { version: row.version, label: null } : (bound ?? defaultVersion(row))
  const agent = await agentVersion(ctx.db, who, row, version)
  const [first, ...fallbacks] = await agentModels(ctx, who, agent)
  const template = agent.prompt_template_id
  return {
    agent,
    label,
    model: first,
    prompt:
      template === null
        ? () => agent.system_prompt ?? ''
        : await renderPrompt(ctx.db, who, template, agent.prompt_variables),
    choices: [toModelChoice(ctx, who, first), ...fallbacks.map((model) => toModelChoice(ctx, who, model))],
    prices: new Map([first, ...fallbacks].map((model) => [model.id, model.pricing])),
  }
}

const missingAgent = (id: string) =>
  new Problem('unknown_reference', `The agent "${id}" of this conversation does not exist any more.`)

export const toModelChoice = (ctx: Context, who: Caller, model: ModelRow): ModelChoice => ({
  id: model.id,
  provider: model.provider,
  name: model.model_id,
  contextWindow: contextWindow(model),
  model: connect(ctx, who.workspace, model),
  seesImages: seesImages(model),
  endpoint: effectiveEndpoint(model),
})

export const agentRun = (
  { agent, choices, tools, instructions, output }: AgentSetup,
  conversation: ModelMessage[],
): PreparedRun => ({
  models: choices,
  messages: instructions === '' ? conversation : [{ role: 'system', content: instructions }, ...conversation],
  tools,
  maxSteps: agent.max_steps,
  temperature: agent.temperature,
  maxTokens: agent.max_tokens,
  sampling: agentSampling(agent),
  toolChoice: agentToolChoice(agent),
  output,
})

export const turnFacts = ({ id, name, version }: AgentRow): TurnFacts => ({
  agentId: id,
  agentName: name,
  agentVersion: version,
})
