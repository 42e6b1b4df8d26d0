import { ToolFailure } from '../../../kernel/agent/agent-tool.ts'
import { ToolNames, toToolName } from '../../../kernel/agent/tool-names.ts'
import type { AgentTool, ToolOutput } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem, reason } from '../../../kernel/errors.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { Masks } from '../../../kernel/secrets/masks.ts'
import { accountUser, NotConnected, usesAccount } from '../accounts/accounts.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { InvalidArguments } from '../errors.ts'
import { type CheckedArguments, checkArguments, droppedNote, dropUndeclared } from '../request/arguments.ts'
import { withQuery } from '../request/call.ts'
import type { TestResult } from '../schema.ts'
import {
  type Catalogue,
  type EffectiveTool,
  noteOffer,
  type OfferedTool,
  readCatalogue,
  toolsInEffect,
} from './catalogue.ts'

const maxSchemaLength = 100_000
const maxDescriptionLength = 4000

/** The tools of a server. A server that cannot be reached becomes one tool that says so, so that the turn continues. */
export async function mcpTools(ctx: Context, who: Caller, row: ApiToolRow): Promise<AgentTool[]> {
  try {
    const catalogue = await currentCatalogue(ctx, who, row)
    if (!catalogue) return [placeholderTool(ctx, who, row)]
    const names = new ToolNames()
    // Each name starts with the server's, so that no other server can change it.
    return toolsInEffect(row, catalogue).map((tool) =>
      mcpTool(ctx, who, row, tool, names.add(toToolName(`${row.name}_${tool.short}`))),
    )
  } catch (error) {
    const message = reason(error)
    return [
      {
        id: row.id,
        name: row.name,
        description: `${row.description.slice(0, 1000)} (Not available at the moment: ${message})`,
        parameters: { type: 'object', properties: {} },
        run: () => Promise.reject(new Error(message)),
      },
    ]
  }
}

/** The one tool of a server that nobody has connected yet: it asks to connect, so that the next step has its tools. */
export const placeholderTool = (ctx: Context, who: Caller, row: ApiToolRow): AgentTool => ({
  id: row.id,
  revision: row.revision,
  kind: 'mcp',
  name: row.name,
  description: `${row.description.slice(0, 1000)} (Not connected yet. Call this to ask the user to connect their account; its tools are there afterwards.)`,
  parameters: { type: 'object', properties: {} },
  readOnly: true,
  approvalTimeoutMinutes: row.approval_timeout_minutes,
  target: row.url,
  pin: () => ({ row }),
  async run(_input, _signal, purpose): Promise<ToolOutput> {
    const userId = accountUser(who, row, purpose)
    try {
      const { accepted } = await refreshTools(ctx, who.workspace, row, userId)
      const names = accepted.map(({ short }) => toToolName(`${row.name}_${short}`)).join(', ')
      return { content: `The account is connected. Use one of these tools now: ${names.slice(0, 2000)}.` }
    } catch (error) {
      return needsAccount(ctx, who, missingAccount(error))
    }
  },
})

/** Returns the error if an account is missing, and throws any other. */
export function missingAccount(error: unknown): NotConnected {
  if (error instanceof NotConnected) return error
  throw error
}

const needsAccount = async (ctx: Context, who: Caller, missing: NotConnected): Promise<ToolOutput> => ({
  content: '',
  needs: await ctx.state['api-tools'].accounts.need(who, missing),
})

/** The account of the caller, if the server uses accounts. */
export const serverAccount = (who: Caller, row: ApiToolRow): string | null =>
  usesAccount(row) && row.auth.account !== 'workspace' ? who.userId : null

export function mcpTool(ctx: Context, who: Caller, row: ApiToolRow, tool: EffectiveTool, name: string): AgentTool {
  const { workspace } = who
  return {
    id: row.id,
    revision: row.revision,
    kind: 'mcp',
    part: tool.name,
    name,
    description: tool.description.slice(0, maxDescriptionLength),
    parameters: inputSchema(tool),
    ...(tool.requiresApproval && { requiresApproval: true }),
    readOnly: tool.readOnly ?? false,
    approvers: row.approvers,
    approvalTimeoutMinutes: row.approval_timeout_minutes,
    target: row.url,
    pin: () => ({ row, tool }),
    check: async (input) => void (await checkLeniently(ctx, workspace, tool, input)),
    async run(input, signal, purpose, onProgress): Promise<ToolOutput> {
      const { declared, dropped } = await checkLeniently(ctx, workspace, tool, input)
      const server = ctx.state['api-tools'].mcp.get(
        workspace,
        row,
        usesAccount(row) ? accountUser(who, row, purpose) : null,
      )
      const traceparent = purpose?.step?.traceparent() ?? null
      const { canPause = false, answers = [] } = purpose ?? {}
      const options = { signal, onProgress, traceparent, canPause, answers }
      const result = await server.call(tool.name, declared, options).catch(missingAccount)
      if (result instanceof NotConnected) return needsAccount(ctx, who, result)
      if ('question' in result) return { content: '', needs: { kind: 'input', question: result.question } }
      const notes = dropped.length > 0 ? [{ type: 'text', text: droppedNote(dropped) }] : []
      const content = [resultText(result), ...notes.map(({ text }) => text)].join('\n')
      const output: ToolOutput = {
        content,
        ...(isObject(result.structuredContent) && { structured: result.structuredContent }),
        ...(result.content.length > 0 && { blocks: [...result.content, ...notes] }),
      }
      if (result.isError) throw new ToolFailure(output)
      return output
    },
  }
}

/**
 * The stored catalogue is used if the server cannot be reached, and for people who have not connected their account. Undefined:
 * nobody has connected one yet.
 */
async function currentCatalogue(ctx: Context, who: Caller, row: ApiToolRow): Promise<Catalogue | undefined> {
  const { workspace } = who
  const userId = serverAccount(who, row)
  const { accounts, mcp } = ctx.state['api-tools']
  if (usesAccount(row) && !(await accounts.isConnected(workspace, row, userId)))
    return readCatalogue(ctx.db, workspace, row.id)
  try {
    const { tools } = await mcp.get(workspace, row, userId).tools()
    const stored = await noteOffer(ctx, workspace, row, tools)
    const own = new Set(tools.map(({ name }) => name))
    return { ...stored, offered: stored.offered.filter(({ name }) => own.has(name)) }
  } catch (error) {
    const known = await readCatalogue(ctx.db, workspace, row.id)
    if (known || error instanceof NotConnected) return known
    throw error
  }
}

/** Asks the server for its tools now. */
export async function refreshTools(
  ctx: Context,
  workspace: string,
  row: ApiToolRow,
  userId: string | null,
): Promise<Catalogue> {
  const server = ctx.state['api-tools'].mcp.get(workspace, row, userId)
  const { tools } = await server.tools({ fresh: true }).catch((error) => {
    throw error instanceof NotConnected ? error : new Problem('provider_error', reason(error))
  })
  return noteOffer(ctx, workspace, row, tools)
}

function inputSchema({ parameters }: OfferedTool): Record<string, unknown> {
  if (isTooLarge(parameters)) return { type: 'object' }
  return { ...parameters, type: 'object' }
}

const isTooLarge = (schema: object): boolean => JSON.stringify(schema).length > maxSchemaLength

/**
 * The server validates arguments itself, so a schema that cannot be used here does not prevent the call. Undeclared
 * arguments are dropped all the same; if these cannot be found in time, nothing is sent.
 */
async function checkLeniently(
  ctx: Context,
  workspace: string,
  tool: OfferedTool,
  input: unknown,
): Promise<Pick<CheckedArguments, 'declared' | 'dropped'>> {
  const schema = { ...tool.parameters, type: 'object' }
  const check = isTooLarge(tool.parameters) ? dropUndeclared : checkArguments
  return check(ctx, schema, input, { workspace })
}

interface Result {
  content: Record<string, unknown>[]
  structuredContent: unknown
}

function resultText({ content, structuredContent }: Result): string {
  const parts = content.map(partText).filter((part) => part !== '')
  if (parts.length > 0) return parts.join('\n')
  return structuredContent === undefined ? 'The tool answered with nothing.' : JSON.stringify(structuredContent)
}

function partText(part: Record<string, unknown>): string {
  const { type, text, data, mimeType, uri, resource } = part
  if (type === 'text') return String(text)
  if (type === 'resource_link') return `[${String(part.name ?? 'resource')}: ${String(uri)}]`
  if (type === 'resource') {
    const { text: inner, uri: resourceUri } = (resource ?? {}) as Record<string, unknown>
    return typeof inner === 'string' ? inner : `[resource ${String(resourceUri)}]`
  }
  return `[${String(type)} ${String(mimeType ?? '')}, ${typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0} bytes]`
}

/** The request as `/test` shows it, with masked credentials. */
function shownRequest({ url, headers, auth }: ApiToolRow): TestResult['request'] {
  const { type, name = '' } = auth
  const inQuery = type === 'api_key' && auth.in === 'query'
  const credential = type === 'api_key' ? name.toLowerCase() : 'authorization'
  const sent = new Map(Object.entries(headers).map(([each, value]) => [each.toLowerCase(), value]))
  if (type !== 'none' && !inQuery) sent.set(credential, '')
  return {
    method: 'POST',
    url: withQuery(new URL(url), inQuery ? { [name]: '****' } : {}),
    headers: new Masks().hideHeaders(sent, [credential]),
  }
}

/** Lists the tools of a server, or calls one of them. */
export async function testServer(
  ctx: Context,
  who: Caller,
  row: ApiToolRow,
  name: string | null,
  args: Record<string, unknown>,
): Promise<TestResult> {
  const { workspace } = who
  const server = ctx.state['api-tools'].mcp.get(workspace, row, serverAccount(who, row))
  const since = performance.now()
  const result = (rest: Partial<TestResult>): TestResult => ({
    ok: rest.error === undefined,
    request: shownRequest(row),
    status: rest.error === undefined ? 200 : null,
    headers: {},
    body: null,
    latency_ms: Math.round(performance.now() - since),
    ...rest,
  })
  try {
    const { tools, total } = await server.tools({ fresh: true })
    await noteOffer(ctx, workspace, row, tools)
    const note = tools.length < total && `The server offers ${total} tools; only the first ${tools.length} are used.`
    if (name === null) {
      const described = tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: tool.inputSchema,
      }))
      return result({ body: { tools: described, ...(note && { note }) } })
    }
    const tool = tools.find((each) => each.name === name)
    if (!tool) {
      const names = tools.map((each) => each.name).join(', ')
      const has = `It has: ${names.slice(0, 2000)}.${note ? ` ${note}` : ''}`
      return result({ error: `The MCP server has no tool "${name}". ${has}` })
    }
    const offered = { ...tool, parameters: tool.inputSchema }
    const { declared, dropped } = await checkLeniently(ctx, workspace, offered, args)
    const called = await server.call(tool.name, declared)
    if ('question' in called) return result({ error: 'The tool asks the user a question, which a test cannot answer.' })
    const error = called.isError ? `The tool failed: ${resultText(called)}` : undefined
    return result({
      body: called,
      ...(dropped.length > 0 && { dropped_arguments: dropped }),
      ...(error !== undefined && { error, status: 200 }),
    })
  } catch (error) {
    if (error instanceof InvalidArguments) throw error
    return result({ error: reason(error) })
  }
}
