import { Type } from 'typebox'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { readShape } from '../../kernel/schema.ts'
import { accountUser, NotConnected, usesAccount } from './accounts/accounts.ts'
import type { ApiToolRow } from './auth/auth.ts'
import { connectionRoutes } from './connections/routes.ts'
import { CallError, InvalidArguments } from './errors.ts'
import { serverToolRoutes } from './mcp/routes.ts'
import { testServer } from './mcp/tools.ts'
import { importTools, maxDocumentBytes, parseImport } from './openapi/import.ts'
import { ImportBody, importResult } from './openapi/schema.ts'
import { callTool } from './request/call.ts'
import { ApiTool, TestBody, TestResult } from './schema.ts'
import { apiTools as service } from './service.ts'

const tags = ['API tools']
const Imported = Ok(importResult(Type.Unsafe<object>(readShape(ApiTool))))

async function test(
  ctx: Context,
  who: Caller,
  id: string,
  body: { arguments: Record<string, unknown>; tool: string | null },
) {
  const row = await service.get(ctx, who, id)
  try {
    if (row.type === 'mcp') return await testServer(ctx, who, row, body.tool, body.arguments)
    if (body.tool !== null) invalid('tool', 'is only for MCP servers')
    const userId = usesAccount(row) ? accountUser(who, row) : null
    return await callTool(ctx, who.workspace, row, body.arguments, { userId })
  } catch (error) {
    if (error instanceof NotConnected || error instanceof CallError) return notCalled(row, error.message)
    if (!(error instanceof InvalidArguments)) throw error
    const details = error.faults.map(({ path, message }) => ({
      path: path === '' ? 'arguments' : `arguments.${path}`,
      message,
    }))
    throw new Problem('invalid_request', details.map(({ path, message }) => `${path} ${message}`).join('; '), {
      details,
    })
  }
}

/** The result of a test whose account is not connected. */
const notCalled = ({ method, url }: ApiToolRow, error: string): TestResult => ({
  ok: false,
  request: { method, url, headers: {} },
  status: null,
  headers: {},
  body: null,
  latency_ms: 0,
  error,
})

export function routes(app: App, ctx: Context): void {
  serverToolRoutes(app, ctx)
  connectionRoutes(app, ctx)
  resourceRoutes(app, ctx, {
    path: '/api-tools',
    title: 'ApiTool',
    tag: 'API tools',
    shape: ApiTool,
    service,
    read: 'read-configuration',
    write: 'write-configuration',
    createErrors: ['egress_blocked'],
    example: {
      name: 'get_weather',
      description: 'Tells the weather in a city.',
      method: 'GET',
      url: 'https://api.example.com/weather/{city}',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      auth: { type: 'bearer', token: 'your-token' },
    },
    change: { description: 'Tells the weather in a city, today and tomorrow.' },
  })

  app.post(
    '/api-tools/import',
    {
      config: { may: 'write-configuration', parseBody: parseImport(ctx) },
      bodyLimit: maxDocumentBytes,
      schema: {
        tags,
        summary: 'Import tools from an OpenAPI document',
        description:
          'Creates one tool per operation. Importing the same document again updates its tools and keeps their names and secrets. Operations that cannot become tools are listed with the reason.',
        body: ImportBody,
        response: { 200: Imported, 201: Imported },
        errors: ['egress_blocked'],
      },
    },
    async (request, reply) => {
      const result = await importTools(ctx, request.caller, request.body)
      if (result.created.length > 0) reply.status(201)
      return ok(result)
    },
  )

  app.post(
    '/api-tools/:id/test',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags,
        summary: 'Call an API tool as a model would',
        description: 'Failures are in `error`. Secrets are masked in the response.',
        params: ById,
        body: TestBody,
        response: { 200: Ok(TestResult) },
      },
    },
    async (request) => ok(await test(ctx, request.caller, request.params.id, request.body)),
  )
}
