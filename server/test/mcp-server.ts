import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import type { Json } from './harness.ts'

export interface ServedTool {
  name: string
  description?: string
  schema?: object
  annotations?: { readOnlyHint?: boolean }
  /** `report` sends a progress notification. */
  run?(
    args: Json,
    report: (progress: number, message: string) => Promise<void>,
    /** Asks the person. In the protocol without sessions, the tool returns a result with `resultType`, and is called again. */
    elicit: (params: object) => Promise<Json>,
  ): Promise<object> | object
}

interface Options {
  /** With sessions, as in the 2025 protocol. */
  sessions?: boolean
  /** The required value of the Authorization header. */
  authorization?: string
  /** The authorization server whose tokens it takes. */
  oauth?: { url: string; accepts(authorization: string | undefined): boolean }
  /** The scopes that a token needs to call a tool, besides. */
  callScope?: { scope: string; grants(authorization: string | undefined): string }
  /** The resource that it claims to be. Default: itself. */
  resource?: string
}

/** An MCP server on loopback, built with the official SDK. Its tools can change. */
export async function mcpServer(tools: ServedTool[], options: Options = {}) {
  const requests: { method: string; authorization: string | undefined; url: string }[] = []
  const traceparents: unknown[] = []
  const register = (server: McpServer, { name, description, schema, annotations, run }: ServedTool) => {
    const inputSchema = fromJsonSchema((schema ?? { type: 'object' }) as Json)
    const described = { ...(description !== undefined && { description }), ...(annotations && { annotations }) }
    server.registerTool(name, { ...described, inputSchema }, (async (args: Json, { mcpReq }: Json) => {
      const { progressToken } = mcpReq._meta ?? {}
      const report = (progress: number, message: string) =>
        mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 2, message } })
      const elicit = async (params: object) =>
        options.sessions
          ? mcpReq.elicitInput(params)
          : (mcpReq.inputResponses?.question ?? {
              resultType: 'input_required',
              inputRequests: { question: { method: 'elicitation/create', params } },
            })
      return (await run?.(args, report, elicit)) ?? { content: [{ type: 'text', text: 'done' }] }
    }) as Json)
  }
  const make = () => {
    const server = new McpServer({ name: 'Test', version: '1' }, { capabilities: { tools: { listChanged: true } } })
    for (const tool of tools) register(server, tool)
    return server
  }
  const modern = createMcpHandler(make)
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const servers = new Set<McpServer>()
  const withSessions = async (request: Request): Promise<Response> => {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : sessions.get(id)
    if (id !== null && !known) return new Response('no such session', { status: 404 })
    if (known) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (made) => void sessions.set(made, transport),
    })
    const server = make()
    servers.add(server)
    await server.connect(transport)
    return transport.handleRequest(request)
  }

  const http = createServer(async (incoming, outgoing) => {
    requests.push({
      method: incoming.method ?? '',
      authorization: incoming.headers.authorization,
      url: incoming.url ?? '',
    })
    traceparents.push(incoming.headers.traceparent)
    if (options.authorization !== undefined && incoming.headers.authorization !== options.authorization) {
      outgoing.writeHead(401).end()
      return
    }
    const { oauth } = options
    if (oauth && incoming.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const { resource = `http://${incoming.headers.host}/mcp` } = options
      const described = { resource, authorization_servers: [oauth.url], scopes_supported: ['diary'] }
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(described))
      return
    }
    if (oauth && !oauth.accepts(incoming.headers.authorization)) {
      const document = `http://${incoming.headers.host}/.well-known/oauth-protected-resource/mcp`
      outgoing.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${document}"` }).end()
      return
    }
    const { callScope } = options
    if (callScope && incoming.headers['mcp-method'] === 'tools/call') {
      const granted = callScope.grants(incoming.headers.authorization)
      if (!granted.split(' ').includes(callScope.scope)) {
        const challenge = `Bearer error="insufficient_scope", scope="${callScope.scope}"`
        outgoing.writeHead(403, { 'www-authenticate': challenge }).end()
        return
      }
    }
    const request = webRequest(incoming)
    await sendBack(await (options.sessions ? withSessions(request) : modern.fetch(request)), outgoing)
  })
  const listen = async (port: number) => {
    http.listen(port, '127.0.0.1')
    await once(http, 'listening')
  }
  await listen(0)
  const { port } = http.address() as AddressInfo
  const stop = async () => {
    if (!http.listening) return
    const closed = once(http, 'close')
    http.close()
    http.closeAllConnections()
    await closed
  }
  onTestFinished(stop)
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    /** The trace context of each request. */
    traceparents,
    tools,
    stop,
    start: () => listen(port),
    forgetSessions: () => sessions.clear(),
    /** Adds a tool and notifies connected clients. */
    offer(tool: ServedTool) {
      tools.push(tool)
      modern.notify.toolsChanged()
      for (const server of servers) register(server, tool)
    },
  }
}

function webRequest(incoming: IncomingMessage): Request {
  const hasBody = incoming.method === 'POST'
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  } as RequestInit)
}

async function sendBack(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  if (response.body === null) return void outgoing.end()
  const reader = response.body.getReader()
  outgoing.on('close', () => void reader.cancel().catch(() => {}))
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done) break
    outgoing.write(value)
  }
  outgoing.end()
}
