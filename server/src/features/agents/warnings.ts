import { type ToolTraits, traitsOf } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { AgentWarning } from './schema.ts'
import { type AgentRow, agents } from './service.ts'

type WatchedAgent = AgentRow & { warnings: AgentWarning[] }

/**
 * Whoever writes a text that an agent reads can tell it what to do. That is harmless until the agent knows something
 * worth stealing and has a way to send it: then a stranger's web page can carry private documents away.
 */
export async function warningsOf(ctx: Context, who: Caller, tools: string[]): Promise<AgentWarning[]> {
  const traits = await traitsOf(ctx, who, tools)
  const those = (trait: keyof ToolTraits) => tools.filter((id) => traits.get(id)?.[trait])
  const [secret, untrusted, sending] = [those('readsPrivate'), those('readsUntrusted'), those('sendsOut')]
  if (secret.length === 0 || untrusted.length === 0 || sending.length === 0) return []
  const message =
    `This agent knows private things (through ${secret.join(', ')}), reads text that strangers may have written ` +
    `(through ${untrusted.join(', ')}) and can send data out (through ${sending.join(', ')}). Such a text can make it give ` +
    'away what it knows. Require approval for the tools that send, or split the agent in two; see docs/security.md.'
  return [{ code: 'data_can_leak', message, tools: [...new Set([...secret, ...untrusted, ...sending])] }]
}

const watched = async (ctx: Context, who: Caller, agent: AgentRow): Promise<WatchedAgent> => ({
  ...agent,
  warnings: await warningsOf(ctx, who, agent.tools),
})

/** The agents with what is dangerous about each, where one is shown; lists do without. */
export const agentsWithWarnings = {
  ...agents,
  get: async (ctx: Context, who: Caller, id: string) => watched(ctx, who, await agents.get(ctx, who, id)),
  create: async (ctx: Context, who: Caller, body: object) => watched(ctx, who, await agents.create(ctx, who, body)),
  update: async (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string) =>
    watched(ctx, who, await agents.update(ctx, who, id, body, ifMatch)),
  restore: async (ctx: Context, who: Caller, id: string, version: number, ifMatch?: string) =>
    watched(ctx, who, await agents.restore(ctx, who, id, version, ifMatch)),
}
