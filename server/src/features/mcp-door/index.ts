import { Problem } from '../../kernel/errors.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { Request as HttpRequest, Reply } from '../../kernel/http/app.ts'
import { disconnectSignal } from '../../kernel/http/disconnect-signal.ts'
import { handleMessage } from './handle.ts'
import { McpAnswer, McpMessage } from './schema.ts'

const may = 'read-agents' as const
const parseError = -32_700
const invalidMessage = -32_600

/** MCP over streamable HTTP: the agents and tools of a workspace, as tools for whatever speaks MCP. */
export const mcpDoor: Feature = {
  name: 'mcp-door',
  routes(app, ctx) {
    app.post(
      '/mcp',
      {
        config: { may },
        schema: {
          tags: ['MCP door'],
          summary: 'Speak MCP (streamable HTTP)',
          description:
            'One JSON-RPC message a request; nothing is remembered between requests. The answer to a request is `text/event-stream` with one JSON-RPC answer, to a notification 202. Tools: `ask_…` for each agent, and the RAG, retrieval and API tools. What a tool does not do is told in its result (`isError`).',
          body: McpMessage,
          response: { 200: McpAnswer },
        },
      },
      async (request, reply) => {
        const response = await handleMessage(ctx, request.caller, toWebRequest(request, reply), request.body)
        if (response.status >= 400) await refuseMalformed(response.clone())
        return reply.send(response as never)
      },
    )

    for (const method of ['GET', 'DELETE'] as const) {
      app.route({
        method,
        url: '/mcp',
        config: { may },
        schema: { hide: true },
        handler: async (request, reply) =>
          reply.status(405).header('allow', 'POST').send({
            success: false,
            error: 'There are no sessions and no standing streams here. Send each MCP message with POST.',
            code: 'not_found',
            request_id: request.id,
          }),
      })
    }
  },
}

/** What the library wants to know of a request. Whoever speaks MCP takes both kinds of answers, so that is not asked. */
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

/** A message that is none gets the error of the house; the rest of MCP's errors are part of its protocol. */
async function refuseMalformed(response: Response): Promise<void> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: number; message?: string } }
  if (error?.code === parseError || error?.code === invalidMessage) {
    throw new Problem('invalid_request', `The body is not a message that MCP knows: ${error.message ?? 'malformed'}`)
  }
}
