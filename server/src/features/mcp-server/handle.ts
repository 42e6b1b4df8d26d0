import type { Caller, Context } from '../../kernel/context.ts'
import { readResource, resourceTemplates } from './resources.ts'
import { type CallOptions, callTool, listTools } from './service.ts'

const heartbeatEvery = 15_000

/** Each message gets a server of its own, without sessions, so that any node can answer. The library is loaded on first use. */
export async function handleMessage(
  ctx: Context,
  who: Caller,
  request: Request,
  body: unknown,
  repetition: Omit<CallOptions, 'signal' | 'onProgress'>,
): Promise<Response> {
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } = await import(
    '@modelcontextprotocol/server'
  )

  const makeServer = () => {
    const server = new Server(
      { name: 'parley', title: 'Parley', version: ctx.version },
      {
        capabilities: { tools: {}, resources: {} },
        instructions:
          'Agents are tools whose names begin with "ask_". To continue a conversation, pass its conversation_id. Sources of an answer are resource links, which can be read.',
      },
    )
    server.setRequestHandler('tools/list', async () => ({ tools: await listTools(ctx, who) }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const progressToken = params._meta?.progressToken
      const result = await callTool(ctx, who, params.name, params.arguments, {
        ...repetition,
        signal: mcpReq.signal,
        ...(progressToken !== undefined && {
          onProgress: ({ progress, total, message }) =>
            void mcpReq
              .notify({
                method: 'notifications/progress',
                params: {
                  progressToken,
                  progress,
                  ...(total !== null && { total }),
                  ...(message !== null && { message }),
                },
              })
              .catch(() => {}), // the client is gone
        }),
      })
      if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}".`)
      return result
    })
    server.setRequestHandler('resources/list', () => ({ resources: [] })) // only results link to resources
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }))
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      const text = await readResource(ctx, who, uri)
      if (text === undefined) throw new ResourceNotFoundError(uri)
      return { contents: [{ uri, mimeType: 'text/plain', text }] }
    })
    return server
  }
  const handler = createMcpHandler(makeServer, {
    responseMode: 'sse',
    keepAliveMs: heartbeatEvery,
    maxSubscriptions: 0,
    onerror: (error) => ctx.log.debug({ err: error }, 'MCP message failed'),
  })
  return handler.fetch(request, { parsedBody: body })
}
