import type { Client, ProgressCallback } from '@modelcontextprotocol/client'
import { LRUCache } from 'lru-cache'
import type { ToolAnswer, ToolQuestion } from '../../../kernel/agent/needs.ts'
import type { ToolProgress } from '../../../kernel/agent/tools.ts'
import type { Context } from '../../../kernel/context.ts'
import { EgressError } from '../../../kernel/egress/egress.ts'
import { Problem, reason } from '../../../kernel/errors.ts'
import { Masks } from '../../../kernel/secrets/masks.ts'
import { minute, second } from '../../../kernel/time.ts'
import { NotConnected } from '../accounts/accounts.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { CallError } from '../errors.ts'
import { largeAnswer } from '../sandbox.ts'
import { guardedFetch } from './fetch.ts'
import { type AskedCall, Questions } from './questions.ts'
import { type McpResult, maskedResult } from './result.ts'

/** A tool as its server describes it. */
export interface McpTool {
  name: string
  /** The name on the server, without masking. */
  serverName: string
  description: string
  inputSchema: Record<string, unknown>
  readOnly: boolean
}

interface McpToolList {
  tools: McpTool[]
  /** How many tools the server has. Only the first `maxTools` are used. */
  total: number
}

interface CallOptions {
  signal?: AbortSignal
  onProgress?: ((progress: ToolProgress) => void) | undefined
  /** Sent in the header and, as MCP specifies, in `_meta`. */
  traceparent?: string | null
  /** Whether the call may wait for the answer of a person, and the answers so far. */
  canPause?: boolean
  answers?: readonly ToolAnswer[]
}

const listTtl = 5 * minute
const failureTtl = 15 * second
const idleMs = 10 * minute
const maxConnections = 500
const maxTools = 500
const maxProgressMessage = 1000

/** Loaded on first use: it is large, and most workspaces have no MCP server. */
const sdk = () => import('@modelcontextprotocol/client')

/** A connection to an MCP server. It connects on first use and reconnects after a failure. */
export class McpConnection {
  readonly #ctx: Context
  readonly #workspace: string
  readonly #tool: ApiToolRow
  /** The person whose account it uses. Null: the tool's own credentials, or the account of the workspace. */
  readonly #userId: string | null
  readonly #masks = new Masks()
  readonly #questions = new Questions()
  #session: Session | undefined
  #listed: (McpToolList & { until: number }) | undefined
  #failed: { error: Error; until: number } | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(ctx: Context, workspace: string, tool: ApiToolRow, userId: string | null) {
    this.#ctx = ctx
    this.#workspace = workspace
    this.#tool = tool
    this.#userId = userId
  }

  /** The tools of the server. If it cannot be reached, the last list is used, and calls report the failure. */
  async tools({ fresh = false } = {}): Promise<McpToolList> {
    const now = this.#ctx.now()
    if (!fresh && this.#listed && this.#listed.until > now) return this.#listed
    if (!fresh && this.#failed && this.#failed.until > now) return this.#lastList(this.#failed.error)
    try {
      const { tools } = await this.#use((client) => client.listTools(undefined, this.#limits()))
      const masked = tools.slice(0, maxTools).map(({ name, description, title, inputSchema, annotations }) => ({
        name: this.#masks.hide(name),
        serverName: name,
        description: this.#masks.hide(description ?? title ?? name),
        inputSchema: this.#masks.hideIn(inputSchema) as Record<string, unknown>,
        readOnly: annotations?.readOnlyHint === true,
      }))
      this.#listed = { tools: masked, total: tools.length, until: now + listTtl }
      this.#failed = undefined
      return this.#listed
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(reason(error))
      this.#failed = { error: failure, until: now + failureTtl }
      if (fresh) throw failure
      return this.#lastList(failure)
    }
  }

  async call(
    name: string,
    args: Record<string, unknown>,
    { signal, onProgress, traceparent = null, canPause = false, answers = [] }: CallOptions = {},
  ): Promise<McpResult | { question: ToolQuestion }> {
    const { serverName = name } = this.#listed?.tools.find((tool) => tool.name === name) ?? {}
    const request = { name: serverName, arguments: args, ...(traceparent !== null && { _meta: { traceparent } }) }
    const abandoned = new AbortController()
    const call: AskedCall = { canPause, answers: [...answers], abandon: () => abandoned.abort() }
    const refused = (error: unknown): never => {
      this.#questions.refused(call, error)
      throw error
    }
    const stop = signal ? AbortSignal.any([signal, abandoned.signal]) : abandoned.signal
    const options = {
      ...this.#limits(stop),
      ...(onProgress && { onprogress: this.#progressTo(onProgress) }),
      ...(traceparent !== null && { headers: { traceparent } }),
    }
    const made = () => this.#use((client) => client.callTool(request, options).catch(refused), signal)
    const result = await this.#questions.during(call, made).catch((error) => {
      if (call.question) return null // abandoned
      throw error
    })
    if (call.question) return { question: this.#masks.hideIn(call.question) as ToolQuestion }
    const text = JSON.stringify(result)
    if (text.length > largeAnswer) {
      const work = { workspace: this.#workspace, signal }
      return this.#ctx.state['api-tools'].sandbox.readResult(text, this.#masks.data(), work)
    }
    const { content, structuredContent, isError } = maskedResult(result, this.#masks)
    return { content: content ?? [], structuredContent, isError: isError === true }
  }

  /** Skips reports of progress that does not grow, and shortens long messages. */
  #progressTo(onProgress: (progress: ToolProgress) => void): ProgressCallback {
    let last = Number.NEGATIVE_INFINITY
    return ({ progress, total, message }) => {
      if (!(progress > last) || !Number.isFinite(progress)) return
      last = progress
      const text = message === undefined ? null : this.#masks.hide(message.slice(0, maxProgressMessage))
      onProgress({ progress, total: total ?? null, message: text })
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const session = this.#session
    this.#session = undefined
    await session?.client.then((each) => each.close()).catch(() => {})
  }

  #lastList(error: Error): McpToolList {
    if (this.#listed) return this.#listed
    throw error
  }

  #limits(signal?: AbortSignal) {
    const timeout = this.#tool.timeout_ms
    return { timeout, maxTotalTimeout: timeout, ...(signal && { signal }) }
  }

  /** Reconnects once if the server no longer knows the session. It has not executed the call then. */
  async #use<T>(work: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    try {
      return await this.#attempt(work).catch(async (error) => {
        const { SdkHttpError } = await sdk()
        if (error instanceof SdkHttpError && error.status === 404) return this.#attempt(work)
        throw error
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw findMissingAccount(error) ?? new CallError(await this.#messageFor(error))
    }
  }

  /** A broken session is not used again. It is closed when its last call has finished. */
  async #attempt<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#session ??= { client: this.#questions.outside(() => this.#connect()), users: 0 }
    const session = this.#session
    session.users++
    try {
      return await work(await session.client)
    } catch (error) {
      if ((await isBroken(error)) && this.#session === session) this.#session = undefined
      throw error
    } finally {
      session.users--
      if (session.users === 0 && this.#session !== session)
        void session.client.then((client) => client.close()).catch(() => {})
    }
  }

  async #connect(): Promise<Client> {
    const { Client, StreamableHTTPClientTransport } = await sdk()
    const client = new Client(
      { name: 'parley', version: this.#ctx.version },
      {
        versionNegotiation: { mode: 'auto' },
        capabilities: { elicitation: { form: {}, url: {} } },
        // Validating results would compile schemas that others wrote in the main thread.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.#invalidateList() },
        },
      },
    )
    client.onerror = () => {}
    this.#questions.listen(client)
    const transport = new StreamableHTTPClientTransport(new URL(this.#tool.url), {
      fetch: guardedFetch(this.#ctx, this.#workspace, this.#tool, this.#userId, this.#masks),
      requestInit: { headers: this.#tool.headers, redirect: 'manual' },
    })
    try {
      await client.connect(transport, this.#limits())
    } catch (error) {
      await client.close().catch(() => {})
      throw error
    }
    return client
  }

  #invalidateList(): void {
    if (this.#listed) this.#listed.until = 0
  }

  async #messageFor(error: unknown): Promise<string> {
    const { SdkHttpError } = await sdk()
    const host = new URL(this.#tool.url).host
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof CallError || cause instanceof Problem) return this.#masks.hide(cause.message)
      if (cause instanceof EgressError && cause.kind === 'too_large')
        return `The response of the MCP server is larger than ${this.#tool.max_response_bytes} bytes (max_response_bytes).`
      if (cause instanceof EgressError) return `The MCP server cannot be reached: ${this.#masks.hide(cause.message)}`
      if (cause instanceof SdkHttpError) return `The MCP server at ${host} answered ${cause.status}.`
    }
    if (/timed out|timeout/i.test(reason(error)))
      return `The MCP server at ${host} did not answer within ${this.#tool.timeout_ms} ms (timeout_ms).`
    return `The MCP server at ${host} failed: ${this.#masks.hide(reason(error)).slice(0, 1000)}`
  }
}

function findMissingAccount(error: unknown): NotConnected | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof NotConnected) return cause
  return undefined
}

interface Session {
  client: Promise<Client>
  users: number
}

/** Whether the connection failed, and not just one request. */
async function isBroken(error: unknown): Promise<boolean> {
  const { ProtocolError } = await sdk()
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return cause.kind !== 'too_large'
    if (cause instanceof ProtocolError) return false
  }
  return !/timed out|timeout/i.test(reason(error))
}

const connectionKey = (toolId: string, userId: string | null): string =>
  userId === null ? toolId : `${toolId} ${userId}`

/** One connection per MCP tool and account. A changed tool gets a new one. */
export class McpConnections {
  readonly #ctx: Context
  readonly #connections = new LRUCache<string, { connection: McpConnection; revision: number }>({
    max: maxConnections,
    dispose: ({ connection }) => void connection.close(),
  })

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  get(workspace: string, tool: ApiToolRow, userId: string | null = null): McpConnection {
    const key = connectionKey(tool.id, userId)
    const open = this.#connections.get(key)
    if (open?.revision === tool.revision) return open.connection
    const connection = new McpConnection(this.#ctx, workspace, tool, userId)
    this.#connections.set(key, { connection, revision: tool.revision })
    return connection
  }

  /** Another account was connected, or none is any more. */
  drop(toolId: string, userId: string | null): void {
    this.#connections.delete(connectionKey(toolId, userId))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map(({ connection }) => connection.close()))
  }
}
