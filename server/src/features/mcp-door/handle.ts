import type { Caller, Context } from '../../kernel/context.ts'
import { callTool, listTools } from './service.ts'

const heartbeatEvery = 15_000

/**
 * One message of a client, served by a server of its own: nothing is remembered between requests, so any node can answer.
 * The library is loaded when somebody comes through this door first.
 */
export async function handleMessage(ctx: Context, who: Caller, request: Request, body: unknown): Promise<Response> {
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } = await import('@modelcontextprotocol/server')

  const makeServer = () => {
    const server = new Server(
      { name: 'parley', title: 'Parley', version: ctx.version },
      {
        capabilities: { tools: {} },
        instructions:
          'Agents are tools whose names begin with "ask_". To go on with a conversation, send back its conversation_id.',
      },
    )
    server.setRequestHandler('tools/list', async () => ({ tools: await listTools(ctx, who) }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const result = await callTool(ctx, who, params.name, params.arguments, mcpReq.signal)
      if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}".`)
      return result
    })
    return server
  }
  const handler = createMcpHandler(makeServer, {
    responseMode: 'sse',
    keepAliveMs: heartbeatEvery,
    maxSubscriptions: 0,
    onerror: (error) => ctx.log.debug({ err: error }, 'a message through the MCP door'),
  })
  return handler.fetch(request, { parsedBody: body })
}
