import type { Context } from '../../kernel/context.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { versionRoutes } from '../../kernel/http/version-routes.ts'
import { PromptTemplate, RenderBody, Rendered } from './schema.ts'
import * as service from './service.ts'

const tag = 'Prompt templates'

export function routes(app: App, ctx: Context): void {
  const resource = {
    path: '/prompt-templates',
    title: 'PromptTemplate',
    tag,
    shape: PromptTemplate,
    service: service.promptTemplates,
    read: 'read-configuration',
    write: 'write-configuration',
    updateErrors: ['in_use'],
    example: { name: 'Tutor', description: 'For lessons.', template: 'Answer as {{persona}}.', type: 'system' },
    change: { template: 'Answer as {{persona}}, in {{language}}.' },
  } as const
  resourceRoutes(app, ctx, resource)
  versionRoutes(app, ctx, resource)

  app.post(
    '/prompt-templates/:id/render',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags: [tag],
        summary: 'Render a prompt template',
        params: ById,
        body: RenderBody,
        response: { 200: Ok(Rendered) },
      },
    },
    async (request) => ok(await service.render(ctx, request.caller, request.params.id, request.body.variables)),
  )
}
