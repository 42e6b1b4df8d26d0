import type { Client } from '@modelcontextprotocol/client'
import type { Context } from '../../../kernel/context.ts'
import { EgressError } from '../../../kernel/egress/egress.ts'
import { Problem, reason } from '../../../kernel/errors.ts'
import { Masks } from '../../../kernel/secrets/masks.ts'
import { minute, second } from '../../../kernel/time.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { CallError } from '../auth/credentials.ts'
import { guardedFetch } from './fetch.ts'

/** A tool as its server describes it. */
export interface McpTool {
  name: string
  /** What the server itself calls it, in which nothing is masked. */
  ownName: string
  description: string
  inputSchema: Record<string, unknown>
}

interface McpToolList {
  tools: McpTool[]
  /** How many the server has, of which the first are used. */
  total: number
}

interface McpResult {
  content: Record<string, unknown>[]
  structuredContent: unknown
  isError: boolean
}

const keptFor = 5 * minute
const failureKeptFor = 15 * second
const idleFor = 10 * minute
const mostServers = 500
const mostTools = 500

/** Large, and most workspaces have no such server. */
const sdk = () => import('@modelcontextprotocol/client')

/** The connection to one server, made when it is first needed and again after it broke. */
export class McpServer {
  readonly #ctx: Context
  readonly #workspace: string
  readonly #tool: ApiToolRow
  readonly #masks = new Masks()
  #connection: Connection | undefined
  #listed: (McpToolList & { until: number }) | undefined
  #failed: { error: Error; until: number } | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(ctx: Context, workspace: string, tool: ApiToolRow) {
    this.#ctx = ctx
    this.#workspace = workspace
    this.#tool = tool
  }

  /** What the server offers. One that is gone keeps its last list; its calls will say what is wrong. */
  async tools({ fresh = false } = {}): Promise<McpToolList> {
    const now = this.#ctx.now()
    if (!fresh && this.#listed && this.#listed.until > now) return this.#listed
    if (!fresh && this.#failed && this.#failed.until > now) return this.#lastList(this.#failed.error)
    try {
      const { tools } = await this.#use((client) => client.listTools(undefined, this.#bounds()))
      const sound = tools.slice(0, mostTools).map(({ name, description, title, inputSchema }) => ({
        name: this.#masks.hide(name),
        ownName: name,
        description: this.#masks.hide(description ?? title ?? name),
        inputSchema: this.#masks.hideIn(inputSchema) as Record<string, unknown>,
      }))
      this.#listed = { tools: sound, total: tools.length, until: now + keptFor }
      this.#failed = undefined
      return this.#listed
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(reason(error))
      this.#failed = { error: failure, until: now + failureKeptFor }
      if (fresh) throw failure
      return this.#lastList(failure)
    }
  }

  async call(ownName: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<McpResult> {
    const found = await this.#use(
      (client) => client.callTool({ name: ownName, arguments: args }, this.#bounds(signal)),
      signal,
    )
    const { content, structuredContent, isError } = this.#masks.hideIn(found) as Partial<McpResult>
    return { content: content ?? [], structuredContent, isError: isError === true }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const connection = this.#connection
    this.#connection = undefined
    await connection?.client.then((each) => each.close()).catch(() => {})
  }

  #lastList(error: Error): McpToolList {
    if (this.#listed) return this.#listed
    throw error
  }

  #bounds(signal?: AbortSignal) {
    const timeout = this.#tool.timeout_ms
    return { timeout, maxTotalTimeout: timeout, ...(signal && { signal }) }
  }

  /** A session that the server has forgotten is begun anew, once: what it forgot, it has not done. */
  async #use<T>(work: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.close(), idleFor).unref()
    try {
      return await this.#attempt(work).catch(async (error) => {
        const { SdkHttpError } = await sdk()
        if (error instanceof SdkHttpError && error.status === 404) return this.#attempt(work)
        throw error
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw new CallError(await this.#wordsFor(error))
    }
  }

  /** A broken connection is not used again, but closed only when all that still go over it are done. */
  async #attempt<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#connection ??= { client: this.#connect(), users: 0 }
    const connection = this.#connection
    connection.users++
    try {
      return await work(await connection.client)
    } catch (error) {
      if ((await isBroken(error)) && this.#connection === connection) this.#connection = undefined
      throw error
    } finally {
      connection.users--
      if (connection.users === 0 && this.#connection !== connection)
        void connection.client.then((client) => client.close()).catch(() => {})
    }
  }

  async #connect(): Promise<Client> {
    const { Client, StreamableHTTPClientTransport } = await sdk()
    const client = new Client(
      { name: 'parley', version: this.#ctx.version },
      {
        versionNegotiation: { mode: 'auto' },
        // What the server's own schemas say is not worth running them for: they are a stranger's.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.#forgetList() },
        },
      },
    )
    client.onerror = () => {}
    const transport = new StreamableHTTPClientTransport(new URL(this.#tool.url), {
      fetch: guardedFetch(this.#ctx, this.#workspace, this.#tool, this.#masks),
      requestInit: { headers: this.#tool.headers, redirect: 'manual' },
    })
    try {
      await client.connect(transport, this.#bounds())
    } catch (error) {
      await client.close().catch(() => {})
      throw error
    }
    return client
  }

  #forgetList(): void {
    if (this.#listed) this.#listed.until = 0
  }

  async #wordsFor(error: unknown): Promise<string> {
    const { SdkHttpError } = await sdk()
    const host = new URL(this.#tool.url).host
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof CallError || cause instanceof Problem) return this.#masks.hide(cause.message)
      if (cause instanceof EgressError && cause.kind === 'too_large')
        return `The answer of the MCP server is larger than ${this.#tool.max_response_bytes} bytes (max_response_bytes).`
      if (cause instanceof EgressError) return `The MCP server cannot be reached: ${this.#masks.hide(cause.message)}`
      if (cause instanceof SdkHttpError) return `The MCP server at ${host} answered ${cause.status}.`
    }
    if (/timed out|timeout/i.test(reason(error)))
      return `The MCP server at ${host} did not answer within ${this.#tool.timeout_ms} ms (timeout_ms).`
    return `The MCP server at ${host} failed: ${this.#masks.hide(reason(error)).slice(0, 1000)}`
  }
}

interface Connection {
  client: Promise<Client>
  users: number
}

/** Whether it is the connection that failed, and not just one request. */
async function isBroken(error: unknown): Promise<boolean> {
  const { ProtocolError } = await sdk()
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return cause.kind !== 'too_large'
    if (cause instanceof ProtocolError) return false
  }
  return !/timed out|timeout/i.test(reason(error))
}

/** The server behind a tool, as long as the tool does not change. */
export function serverOf(ctx: Context, workspace: string, tool: ApiToolRow): McpServer {
  const { servers } = ctx.state['api-tools']
  const key = `${tool.id} ${tool.revision}`
  const found = servers.get(key)
  if (found) return found
  for (const [other, server] of servers) {
    if (!other.startsWith(`${tool.id} `) && servers.size < mostServers) continue
    servers.delete(other)
    void server.close()
  }
  const server = new McpServer(ctx, workspace, tool)
  servers.set(key, server)
  return server
}

export async function closeServers(ctx: Context): Promise<void> {
  await Promise.all([...ctx.state['api-tools'].servers.values()].map((server) => server.close()))
}
