import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { App, Request as HttpRequest, Reply } from '../../kernel/http/app.ts'
import { disconnectSignal } from '../../kernel/http/disconnect-signal.ts'
import { eventStream } from '../../kernel/http/media-types.ts'
import { publicOrigin, requireOwnOrigin } from '../../kernel/http/origin.ts'
import { handleMessage } from './handle.ts'
import { McpAnswer, McpMessage } from './schema.ts'

const may = 'use-mcp' as const
const parseError = -32_700
const invalidMessage = -32_600

export function routes(app: App, ctx: Context): void {
  const onRequest = async (request: HttpRequest) => requireOwnOrigin(ctx.config, request)
  /** Tells clients without a valid token where they learn how to get one (RFC 9728). */
  const onSend = async (request: HttpRequest, reply: Reply) => {
    if (reply.statusCode !== 401) return
    const metadata = `${publicOrigin(ctx.config, request)}/.well-known/oauth-protected-resource/api/mcp`
    reply.header('www-authenticate', `${reply.getHeader('www-authenticate')}, resource_metadata="${metadata}"`)
  }

  app.post(
    '/mcp',
    {
      config: { may },
      onRequest,
      onSend,
      schema: {
        tags: ['MCP server'],
        summary: 'Send an MCP message (streamable HTTP)',
        description:
          'One JSON-RPC message per request, without sessions. The response to a request is `text/event-stream` with one JSON-RPC response; to a notification it is 202. Tools: `ask_…` for each agent, and the RAG, retrieval and API tools. Prompts: the prompt templates. A failed tool call is reported in its result (`isError`). An `Origin` or `Host` that is not that of this service is 403.',
        body: McpMessage,
        response: { 202: Type.Null({ description: 'A notification was received.' }) },
        content: eventStream(McpAnswer, { jsonrpc: '2.0', id: 1, result: { tools: [] } }),
        requestHeaders: { 'MCP-Protocol-Version': 'The version that was negotiated.' },
      },
    },
    async (request, reply) => {
      const repetition = {
        key: request.idempotencyKey,
        onTemporaryFailure: () => void request.storeResponse(Promise.resolve(null)),
      }
      const response = await handleMessage(ctx, request.caller, toWebRequest(request, reply), request.body, repetition)
      if (response.status >= 400) await rejectMalformed(response.clone())
      return reply.send(response as never)
    },
  )

  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/mcp',
      config: { may },
      onRequest,
      onSend,
      schema: { hide: true },
      handler: async (request, reply) =>
        reply.status(405).header('allow', 'POST').send({
          success: false,
          error: 'This MCP server has no sessions and no standing streams. Send each MCP message with POST.',
          code: 'not_found',
          request_id: request.id,
        }),
    })
  }
}

/** MCP clients accept both content types, so a missing `Accept` header is no error. */
function toWebRequest(request: HttpRequest, reply: Reply): Request {
  const gone = disconnectSignal(reply)
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith('mcp-') && typeof value === 'string') headers.set(name, value)
  }
  return new Request('http://parley/api/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(request.body),
    signal: gone,
  })
}

/** A malformed message gets our own error format. Other MCP errors are part of its protocol and pass through. */
async function rejectMalformed(response: Response): Promise<void> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: number; message?: string } }
  if (error?.code === parseError || error?.code === invalidMessage) {
    throw new Problem('invalid_request', `The body is not a valid MCP message: ${error.message ?? 'malformed'}`)
  }
}
