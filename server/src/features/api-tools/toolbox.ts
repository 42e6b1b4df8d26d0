import { isDeepStrictEqual } from 'node:util'
import type { AgentTool, Toolbox, ToolOutput, ToolTraits } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { accountUser, NotConnected, usesAccount } from './accounts/accounts.ts'
import { type ApiToolRow, urlOrigin } from './auth/auth.ts'
import type { EffectiveTool } from './mcp/catalogue.ts'
import { mcpTool, mcpTools, missingAccount, placeholderTool } from './mcp/tools.ts'
import { checkArguments, droppedNote } from './request/arguments.ts'
import { callTool } from './request/call.ts'
import type { Arguments } from './request/template.ts'
import { apiTools } from './service.ts'

/** An HTTP tool is one tool, an MCP server all of its tools. */
async function tools(ctx: Context, who: Caller, ids: string[]): Promise<AgentTool[]> {
  const all = await Promise.all(ids.map((id) => apiTools.find(ctx.db, who, id)))
  const rows = all.filter((row) => row !== undefined)
  return (await Promise.all(rows.map((row) => toolsFrom(ctx, who, row)))).flat()
}

/** Responses may be written by others. Calls send data out, unless a person approves each one. */
async function traits(ctx: Context, who: Caller, ids: string[]): Promise<Map<string, ToolTraits>> {
  const rows = await Promise.all(ids.map((id) => apiTools.find(ctx.db, who, id)))
  return new Map(
    rows.flatMap((row) => (row ? [[row.id, { readsUntrusted: true, sendsOut: runsUnapproved(row) }]] : [])),
  )
}

/** Whether a tool, or one of the chosen tools of a server, runs without approval. */
const runsUnapproved = ({ tools, requires_approval }: ApiToolRow): boolean =>
  tools === null ? !requires_approval : tools.some((tool) => !(tool.requires_approval ?? requires_approval))

/** A tool as it was when a call of it was shown for approval. */
interface Pin {
  row: ApiToolRow
  /** Set if the row is an MCP server: the one of its tools that was called. */
  tool?: EffectiveTool
}

/** The tool as it was, with the secrets of today if they belong to the same address: they may have been replaced. */
async function pinned(ctx: Context, who: Caller, pin: unknown): Promise<AgentTool> {
  const { row, tool } = pin as Pin
  const now = await apiTools.find(ctx.db, who, row.id)
  if (usesAccount(row)) return withAccount(ctx, who, row, tool, now)
  const isSame = now && urlOrigin(now.url) === urlOrigin(row.url) && isDeepStrictEqual(now.auth, row.auth)
  const own = isSame ? { ...row, auth_sealed: now.auth_sealed } : row
  return asPinned(ctx, who, own, tool)
}

/** Accounts are connected to the tool as it is now. A call that waited while the tool moved is made again there. */
function withAccount(
  ctx: Context,
  who: Caller,
  row: ApiToolRow,
  tool: EffectiveTool | undefined,
  now: ApiToolRow | undefined,
): AgentTool {
  const isThere = now?.url === row.url && usesAccount(now) && now.auth.account === row.auth.account
  if (isThere) return asPinned(ctx, who, { ...row, auth: now.auth, auth_sealed: now.auth_sealed }, tool)
  const message = `"${row.name}" was changed while this call waited. Call it again.`
  return { ...asPinned(ctx, who, row, tool), run: () => Promise.reject(new Error(message)) }
}

function asPinned(ctx: Context, who: Caller, row: ApiToolRow, tool: EffectiveTool | undefined): AgentTool {
  if (row.type === 'mcp' && !tool) return placeholderTool(ctx, who, row)
  return tool ? mcpTool(ctx, who, row, tool, tool.name) : httpTool(ctx, who, row)
}

export const toolbox: Toolbox = { prefix: 'api', tools, traits, pinned }

async function toolsFrom(ctx: Context, who: Caller, row: ApiToolRow): Promise<AgentTool[]> {
  return row.type === 'mcp' ? mcpTools(ctx, who, row) : [httpTool(ctx, who, row)]
}

const httpTool = (ctx: Context, who: Caller, row: ApiToolRow): AgentTool => ({
  id: row.id,
  revision: row.revision,
  name: row.name,
  description: row.description,
  parameters: { additionalProperties: false, ...row.parameters },
  ...(row.requires_approval && { requiresApproval: true }),
  readOnly: row.method === 'GET' || row.method === 'HEAD',
  approvers: row.approvers,
  approvalTimeoutMinutes: row.approval_timeout_minutes,
  target: `${row.method} ${row.url}`,
  pin: (): Pin => ({ row }),
  check: async (input) => void (await checkArguments(ctx, row.parameters, input, { workspace: who.workspace })),
  async run(input, signal, purpose): Promise<ToolOutput> {
    const userId = usesAccount(row) ? accountUser(who, row, purpose) : null
    const options = { signal, traceparent: purpose?.step?.traceparent(), userId }
    const result = await callTool(ctx, who.workspace, row, input as Arguments, options).catch(missingAccount)
    if (result instanceof NotConnected)
      return { content: '', needs: await ctx.state['api-tools'].accounts.need(who, result) }
    const { error, body, dropped_arguments: dropped = [] } = result
    const note = dropped.length === 0 ? '' : `\n${droppedNote(dropped)}`
    if (error === undefined) return { content: `${asText(body)}${note}` }
    throw new Error(`${error}${body === null ? '' : ` It said: ${asText(body).slice(0, maxErrorLength)}`}${note}`)
  },
})

const maxErrorLength = 4000

const asText = (body: unknown): string =>
  body === null ? 'The response is empty.' : typeof body === 'string' ? body : JSON.stringify(body)
