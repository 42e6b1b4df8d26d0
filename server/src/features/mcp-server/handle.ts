import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { readResource, resourceTemplates } from './resources.ts'
import type { McpMessage } from './schema.ts'
import { type CallOptions, callTool, listTools } from './service.ts'

const heartbeatEvery = 15_000

/** Each message gets a server of its own, without sessions, so that any node can answer. The library is loaded on first use. */
export async function handleMessage(
  ctx: Context,
  who: Caller,
  request: Request,
  body: McpMessage,
  repetition: Omit<CallOptions, 'signal' | 'onProgress'>,
): Promise<Response> {
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } = await import(
    '@modelcontextprotocol/server'
  )

  if (body.method === 'subscriptions/listen' && body.id !== undefined) {
    // The library would answer with an internal error: it has no way to leave subscriptions out.
    const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' }
    return Response.json({ jsonrpc: '2.0', id: body.id, error }, { status: 404 })
  }

  const makeServer = () => {
    const server = new Server(
      { name: 'parley', title: 'Parley', version: ctx.version },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions:
          'Agents are tools whose names begin with "ask_". To continue a conversation, pass its conversation_id. Sources of an answer are resource links, which can be read. Prompts are the prompt templates of the workspace.',
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
    server.setRequestHandler('prompts/list', async () => ({ prompts: await listPrompts(ctx, who) }))
    server.setRequestHandler('prompts/get', async ({ params: { name, arguments: values = {} } }) => {
      const prompt = await getPrompt(ctx, who, name, values).catch((error: unknown) => {
        if (error instanceof Problem) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
        throw error
      })
      if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name}".`)
      return prompt
    })
    return server
  }
  const handler = createMcpHandler(makeServer, {
    responseMode: 'sse',
    keepAliveMs: heartbeatEvery,
    onerror: (error) => ctx.log.debug({ err: error }, 'MCP message failed'),
  })
  return handler.fetch(request, { parsedBody: body })
}
