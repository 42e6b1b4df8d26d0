import type { AgentTool, ToolOutput } from '../../../kernel/agent/tools.ts'
import type { Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import { Masks } from '../../../kernel/secrets/masks.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { addressWith, checkArguments, InvalidArguments } from '../request/call.ts'
import type { TestResult } from '../schema.ts'
import { nameOf } from '../tool-names.ts'
import { type McpTool, serverOf } from './connection.ts'

const largestSchema = 100_000
const longestDescription = 4000

/** The tools of a server. One that is gone becomes a tool that says so, so that the turn goes on and the model knows. */
export async function mcpTools(ctx: Context, workspace: string, row: ApiToolRow): Promise<AgentTool[]> {
  const server = serverOf(ctx, workspace, row)
  const common = { id: row.id, ...(row.requires_approval && { requiresApproval: true }) }
  try {
    const { tools } = await server.tools()
    return withNames(tools).map(([name, tool]) => ({
      ...common,
      name,
      description: tool.description.slice(0, longestDescription),
      parameters: schemaOf(tool),
      async run(input, signal): Promise<ToolOutput> {
        await checkLeniently(ctx, tool, input)
        const result = await server.call(tool.ownName, input as Record<string, unknown>, signal)
        const content = contentOf(result)
        if (result.isError) throw new Error(content)
        return { content }
      },
    }))
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

/** Names that models accept, each once; what a server calls its tools is its own affair. */
function withNames(tools: McpTool[]): [string, McpTool][] {
  const named = new Map<string, McpTool>()
  for (const tool of tools) {
    const wanted = nameOf(tool.name)
    let name = wanted
    for (let number = 2; named.has(name); number++) name = `${wanted.slice(0, 60)}_${number}`
    named.set(name, tool)
  }
  return [...named]
}

function schemaOf({ inputSchema }: McpTool): Record<string, unknown> {
  if (JSON.stringify(inputSchema).length > largestSchema) return { type: 'object' }
  const { $schema, ...schema } = inputSchema
  return { ...schema, type: 'object' }
}

/** The server checks arguments itself; a schema of its that cannot be used here is no reason not to ask it. */
async function checkLeniently(ctx: Context, tool: McpTool, input: unknown): Promise<void> {
  try {
    await checkArguments(ctx, schemaOf(tool), input)
  } catch (error) {
    if (error instanceof InvalidArguments) throw error
  }
}

interface Result {
  content: Record<string, unknown>[]
  structuredContent: unknown
}

function contentOf({ content, structuredContent }: Result): string {
  const parts = content.map(partOf).filter((part) => part !== '')
  if (parts.length > 0) return parts.join('\n')
  return structuredContent === undefined ? 'The tool answered with nothing.' : JSON.stringify(structuredContent)
}

function partOf(part: Record<string, unknown>): string {
  const { type, text, data, mimeType, uri, resource } = part
  if (type === 'text') return String(text)
  if (type === 'resource_link') return `[${String(part.name ?? 'resource')}: ${String(uri)}]`
  if (type === 'resource') {
    const { text: inner, uri: place } = (resource ?? {}) as Record<string, unknown>
    return typeof inner === 'string' ? inner : `[resource ${String(place)}]`
  }
  return `[${String(type)} ${String(mimeType ?? '')}, ${typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0} bytes]`
}

/** What every request to a server carries, with the credentials hidden at the place where they go. */
function shownRequest({ url, headers, auth }: ApiToolRow): TestResult['request'] {
  const { type, name = '' } = auth
  const inQuery = type === 'api_key' && auth.in === 'query'
  const credential = type === 'api_key' ? name.toLowerCase() : 'authorization'
  const sent = new Map(Object.entries(headers).map(([each, value]) => [each.toLowerCase(), value]))
  if (type !== 'none' && !inQuery) sent.set(credential, '')
  return {
    method: 'POST',
    url: addressWith(new URL(url), inQuery ? { [name]: '****' } : {}),
    headers: new Masks().hideHeaders(sent, [credential]),
  }
}

/** Lists what a server offers, or calls one of its tools. */
export async function testServer(
  ctx: Context,
  workspace: string,
  row: ApiToolRow,
  name: string | null,
  args: Record<string, unknown>,
): Promise<TestResult> {
  const server = serverOf(ctx, workspace, row)
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
    await checkLeniently(ctx, tool, args)
    const called = await server.call(tool.ownName, args)
    const error = called.isError ? `The tool failed: ${contentOf(called)}` : undefined
    return result({ body: called, ...(error !== undefined && { error, status: 200 }) })
  } catch (error) {
    if (error instanceof InvalidArguments) throw error
    return result({ error: reason(error) })
  }
}
