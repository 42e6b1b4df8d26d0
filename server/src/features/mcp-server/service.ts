import { type AgentTool, allToolIds, toolsOf } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { allows, type Permission, rolesWith } from '../../kernel/http/permissions.ts'
import { agentTools, ask, askInput, askOutput } from './agent-tools.ts'

export interface McpTool {
  name: string
  title?: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  outputSchema?: { type: 'object'; [keyword: string]: unknown }
}

export interface McpResult extends Record<string, unknown> {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** An MCP tool and the permission to call it. */
interface Entry {
  tool: McpTool
  needs: Permission
  call(input: unknown, signal: AbortSignal): Promise<McpResult>
}

export const listTools = async (ctx: Context, who: Caller): Promise<McpTool[]> =>
  (await entries(ctx, who)).map(({ tool }) => tool)

/** Returns undefined if the caller sees no such tool. Failures are results, so that a model can read them. */
export async function callTool(
  ctx: Context,
  who: Caller,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<McpResult | undefined> {
  const entry = (await entries(ctx, who)).find(({ tool }) => tool.name === name)
  if (!entry) return undefined
  if (!allows(entry.needs, who.role)) {
    return failed(
      'forbidden',
      `The role "${who.role}" may list tools but not call this one. Required: one of ${rolesWith(entry.needs).join(', ')}.`,
    )
  }
  try {
    return await entry.call(input, signal)
  } catch (error) {
    if (error instanceof Problem) return failed(error.code, error.message)
    ctx.log.warn({ err: error, tool: name }, 'MCP tool failed')
    return failed(null, `The tool failed: ${reason(error)}`)
  }
}

const failed = (code: Problem['code'] | null, message: string): McpResult => ({
  isError: true,
  content: [{ type: 'text', text: code === null ? message : `${message} (${code})` }],
})

/** All tools that the caller sees. The role `user` sees agents only. */
async function entries(ctx: Context, who: Caller): Promise<Entry[]> {
  const found = await agentEntries(ctx, who)
  if (allows('read-configuration', who.role)) {
    const tools = await toolsOf(ctx, who, await allToolIds(ctx, who))
    const taken = new Set(found.map(({ tool }) => tool.name))
    for (const tool of tools) found.push(toolEntry(tool, uniqueName(tool.name, taken)))
  }
  return found
}

async function agentEntries(ctx: Context, who: Caller): Promise<Entry[]> {
  const agents = await agentTools(ctx, who)
  return agents.map(({ toolName, agent }) => ({
    tool: {
      name: toolName,
      title: agent.name,
      description: agent.description ?? `Talks to the agent "${agent.name}".`,
      inputSchema: askInput,
      outputSchema: askOutput,
    },
    needs: 'converse',
    async call(input) {
      const reply = await ask(ctx, who, agent, input)
      const texts = [reply.answer, `conversation_id: ${reply.conversation_id}`]
      return { content: texts.map((text) => ({ type: 'text', text })), structuredContent: reply }
    },
  }))
}

function toolEntry(tool: AgentTool, name: string): Entry {
  const { description, parameters, requiresApproval } = tool
  const note = requiresApproval ? ' It requires human approval, which MCP clients cannot give.' : ''
  return {
    tool: { name, description: `${description}${note}`, inputSchema: { ...parameters, type: 'object' } },
    needs: 'write-configuration',
    async call(input, signal) {
      if (requiresApproval) {
        return failed('forbidden', `The tool "${name}" requires human approval, which MCP clients cannot give.`)
      }
      const { content } = await tool.run(input ?? {}, signal)
      return { content: [{ type: 'text', text: content }] }
    },
  }
}

const maxNameLength = 64

function uniqueName(name: string, taken: Set<string>): string {
  let unique = name
  for (let number = 2; taken.has(unique); number++) {
    unique = `${name.slice(0, maxNameLength - 1 - String(number).length)}_${number}`
  }
  taken.add(unique)
  return unique
}
