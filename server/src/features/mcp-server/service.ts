import type { ContentBlock } from '@modelcontextprotocol/server'
import { ToolFailure } from '../../kernel/agent/agent-tool.ts'
import { type Need, unmetNeed } from '../../kernel/agent/needs.ts'
import { type AgentTool, allToolIds, findTools, type ToolOutput, type ToolProgress } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { isTemporary } from '../../kernel/http/idempotency.ts'
import type { IdempotencyKey } from '../../kernel/http/idempotency-store.ts'
import { allows, type Permission, rolesWith } from '../../kernel/http/permissions.ts'
import { findUnseen } from '../../kernel/unseen.ts'
import { agentTools, ask, askInput, askOutput, waitingNote } from './agent-tools.ts'
import { assignNames } from './names.ts'
import { linkTo, passageUri } from './resources.ts'

export interface McpTool {
  name: string
  title?: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  outputSchema?: { type: 'object'; [keyword: string]: unknown }
}

export interface McpResult extends Record<string, unknown> {
  content: ContentBlock[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** An MCP tool and the permission to call it. Its name in `tool` is the one it should have. */
interface Entry {
  /** Identifies an agent, a tool, or one tool of an MCP server. */
  target: string
  tool: McpTool
  needs: Permission
  call(input: unknown, options: CallOptions): Promise<McpResult>
}

export interface CallOptions {
  signal: AbortSignal
  /** Set if the client wants to hear of progress. */
  onProgress?: ((progress: ToolProgress) => void) | undefined
  key: IdempotencyKey | null
  /** Called if the call failed and can be repeated with the same idempotency key. */
  onTemporaryFailure(): void
}

export async function listTools(ctx: Context, who: Caller): Promise<McpTool[]> {
  const { entries, names } = await namedEntries(ctx, who)
  return entries.map(({ tool }, at) => ({ ...tool, name: names[at] as string }))
}

/** Returns undefined if the caller sees no such tool. Failures are results, so that a model can read them. */
export async function callTool(
  ctx: Context,
  who: Caller,
  name: string,
  input: unknown,
  options: CallOptions,
): Promise<McpResult | undefined> {
  const { entries, all } = await namedEntries(ctx, who)
  const entry = entries.find(({ target }) => target === all.get(name))
  if (!entry) return undefined
  if (!allows(entry.needs, who.role)) {
    return failed(
      'forbidden',
      `The role "${who.role}" may list tools but not call this one. Required: one of ${rolesWith(entry.needs).join(', ')}.`,
    )
  }
  try {
    return await entry.call(input, options)
  } catch (error) {
    if (error instanceof Problem && isTemporary(error.status)) options.onTemporaryFailure()
    if (error instanceof Problem) return failed(error.code, error.message)
    if (error instanceof ToolFailure) return { isError: true, ...toResult(error.output) }
    ctx.log.warn({ err: error, tool: name }, 'MCP tool failed')
    return failed(null, `The tool failed: ${reason(error)}`)
  }
}

const failed = (code: Problem['code'] | null, message: string): McpResult => ({
  isError: true,
  content: [{ type: 'text', text: code === null ? message : `${message} (${code})` }],
})

/** All tools that the caller sees, with their names. The role `user` sees agents only. */
async function namedEntries(ctx: Context, who: Caller) {
  const entries = await agentEntries(ctx, who)
  if (allows('read-configuration', who.role)) {
    const unseen = await findUnseen(ctx, who, 'rag', 'ret')
    const ids = (await allToolIds(ctx, who)).filter((id) => !unseen.includes(id))
    entries.push(...(await findTools(ctx, who, ids)).map((tool) => toolEntry(ctx, who, tool)))
  }
  const wanted = entries.map(({ target, tool }) => ({ target, preferred: tool.name }))
  const [names, all] = await assignNames(ctx, who.workspace, wanted)
  return { entries, names, all }
}

async function agentEntries(ctx: Context, who: Caller): Promise<Entry[]> {
  const agents = await agentTools(ctx, who)
  return agents.map(({ preferred, agent }) => ({
    target: agent.id,
    tool: {
      name: preferred,
      title: agent.name,
      description: agent.description ?? `Talks to the agent "${agent.name}".`,
      inputSchema: askInput,
      outputSchema: askOutput,
    },
    needs: 'converse',
    async call(input, { key, onProgress }) {
      const reply = await ask(ctx, who, agent, input, key, onProgress)
      const note = [waitingNote(reply)].filter((text) => text !== null)
      const answer = reply.answer === '' && note.length > 0 ? [] : [reply.answer]
      const texts = [...answer, ...note, `conversation_id: ${reply.conversation_id}`]
      const links = reply.citations.map((citation) => linkTo(citation.uri, citation))
      return {
        content: [...texts.map((text) => ({ type: 'text' as const, text })), ...links],
        structuredContent: reply,
      }
    },
  }))
}

/** A client that calls a tool directly can open the link, and call the tool again. */
function needNote(need: Need): string {
  if (need.kind !== 'connection') return unmetNeed(need)
  const { name, authorizeUrl } = need.connection
  const where = authorizeUrl === null ? 'under Settings, Connected accounts, in the console' : `at ${authorizeUrl}`
  return `"${name}" needs an account that is not connected. Connect it ${where}, then call this tool again.`
}

function toolEntry(ctx: Context, who: Caller, tool: AgentTool): Entry {
  const { id, part, name, description, parameters, requiresApproval } = tool
  const note = requiresApproval ? ' It requires human approval, which MCP clients cannot give.' : ''
  return {
    target: part === undefined ? id : `${id} ${part}`,
    tool: { name, description: `${description}${note}`, inputSchema: { ...parameters, type: 'object' } },
    needs: 'write-configuration',
    async call(input, { signal, onProgress }) {
      if (requiresApproval) {
        return failed('forbidden', `The tool "${name}" requires human approval, which MCP clients cannot give.`)
      }
      await ctx.commits.commit(ctx.audit.statements(who, { action: 'call', kind: 'tool', id }))
      const output = await tool.run(input ?? {}, signal, undefined, onProgress)
      if (output.needs) return failed(null, needNote(output.needs))
      return toResult(output)
    },
  }
}

function toResult(output: ToolOutput): McpResult {
  const { structured, citations = [], blocks = [{ type: 'text', text: output.content }] } = output
  const links = citations.map((citation) => linkTo(passageUri(citation), citation))
  return {
    // Blocks come from the client of another MCP server, which has validated them.
    content: [...(blocks as ContentBlock[]), ...links],
    ...(structured && { structuredContent: structured }),
  }
}
