import { type ToolTraits, traitsOf } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { checkResponseFormat } from './response-format.ts'
import type { Agent, AgentWarning } from './schema.ts'
import { type AgentRow, agents } from './service.ts'

type AgentWithWarnings = AgentRow & { warnings: AgentWarning[] }

/**
 * Prompt injection: an agent that reads private data, reads text that others wrote and can send data out can be made
 * to leak the private data.
 */
export async function warningsOf(ctx: Context, who: Caller, tools: string[]): Promise<AgentWarning[]> {
  const traits = await traitsOf(ctx, who, tools)
  const toolsWith = (trait: keyof ToolTraits) => tools.filter((id) => traits.get(id)?.[trait])
  const [secret, untrusted, sending] = [toolsWith('readsPrivate'), toolsWith('readsUntrusted'), toolsWith('sendsOut')]
  if (secret.length === 0 || untrusted.length === 0 || sending.length === 0) return []
  const message =
    `This agent reads private data (${secret.join(', ')}), reads text that others may have written ` +
    `(${untrusted.join(', ')}) and can send data out (${sending.join(', ')}). Such text can make it leak private ` +
    'data. Require approval for the tools that send data, or split the agent in two; see docs/security.md.'
  return [{ code: 'data_can_leak', message, tools: [...new Set([...secret, ...untrusted, ...sending])] }]
}

const withWarnings = async (ctx: Context, who: Caller, agent: AgentRow): Promise<AgentWithWarnings> => ({
  ...agent,
  warnings: await warningsOf(ctx, who, agent.tools),
})

/** Adds warnings to single agents. Lists have none. */
export const agentsWithWarnings = {
  ...agents,
  get: async (ctx: Context, who: Caller, id: string) => withWarnings(ctx, who, await agents.get(ctx, who, id)),
  create: async (ctx: Context, who: Caller, body: Partial<Agent>) => {
    await checkResponseFormat(ctx, who, body.response_format)
    return withWarnings(ctx, who, await agents.create(ctx, who, body))
  },
  update: async (ctx: Context, who: Caller, id: string, body: Partial<Agent>, ifMatch?: string) => {
    await checkResponseFormat(ctx, who, body.response_format)
    return withWarnings(ctx, who, await agents.update(ctx, who, id, body, ifMatch))
  },
  restore: async (ctx: Context, who: Caller, id: string, version: number, ifMatch?: string) =>
    withWarnings(ctx, who, await agents.restore(ctx, who, id, version, ifMatch)),
}
