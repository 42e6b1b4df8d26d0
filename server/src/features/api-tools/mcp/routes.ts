import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { App } from '../../../kernel/http/app.ts'
import { ById, Ok, ok } from '../../../kernel/http/envelope.ts'
import { apiTools } from '../service.ts'
import { acceptOffer, describeCatalogue, readCatalogue } from './catalogue.ts'
import { AcceptBody, ServerTools } from './schema.ts'
import { refreshTools, serverAccount } from './tools.ts'

const tags = ['API tools']

async function mcpServer(ctx: Context, who: Caller, id: string) {
  const row = await apiTools.get(ctx, who, id)
  return row.type === 'mcp' ? row : invalid('id', 'is not an MCP server')
}

/** The tools of an MCP server, and the changes that wait to be accepted. */
export function serverToolRoutes(app: App, ctx: Context): void {
  app.get(
    '/api-tools/:id/tools',
    {
      config: { may: 'read-configuration' },
      schema: {
        tags,
        summary: 'List the tools of an MCP server',
        description: 'The tools in effect, and how the server has changed them since. Does not contact the server.',
        params: ById,
        response: { 200: Ok(ServerTools) },
      },
    },
    async ({ caller, params }) => {
      const row = await mcpServer(ctx, caller, params.id)
      return ok(describeCatalogue(row, await readCatalogue(ctx.db, caller.workspace, row.id)))
    },
  )

  app.post(
    '/api-tools/:id/tools/refresh',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags,
        summary: 'Ask an MCP server for its tools now',
        params: ById,
        response: { 200: Ok(ServerTools) },
        errors: ['provider_error'],
      },
    },
    async ({ caller, params }) => {
      const row = await mcpServer(ctx, caller, params.id)
      return ok(describeCatalogue(row, await refreshTools(ctx, caller.workspace, row, serverAccount(caller, row))))
    },
  )

  app.post(
    '/api-tools/:id/tools/accept',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags,
        summary: 'Accept the changed tools of an MCP server',
        description: 'Puts what the server offers into effect. 412 if it has changed again since it was reviewed.',
        params: ById,
        body: AcceptBody,
        response: { 200: Ok(ServerTools) },
        errors: ['precondition_failed'],
      },
    },
    async ({ caller, params, body }) => {
      const row = await mcpServer(ctx, caller, params.id)
      return ok(describeCatalogue(row, await acceptOffer(ctx, caller, row.id, body.version)))
    },
  )
}
