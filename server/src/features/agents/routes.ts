import { Type } from 'typebox'
import { Explanation, explain, PersonQuery, toViewer } from '../../kernel/access-explanation.ts'
import type { Context } from '../../kernel/context.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { versionRoutes } from '../../kernel/http/version-routes.ts'
import { AccountTool, accountTools } from './account-tools.ts'
import { AgentListItem, AgentView } from './schema.ts'
import * as service from './service.ts'
import { agentsWithWarnings } from './warnings.ts'

export function routes(app: App, ctx: Context): void {
  const resource = {
    path: '/agents',
    title: 'Agent',
    tag: 'Agents',
    shape: AgentView,
    listShape: AgentListItem,
    service: { ...agentsWithWarnings, remove: service.remove },
    present: service.present,
    hidden: service.hiddenFields,
    read: 'read-agents',
    write: 'write-configuration',
    createErrors: ['unknown_reference'],
    example: {
      name: 'Support',
      description: 'Answers questions about our product.',
      system_prompt: 'You are a friendly support agent.',
      temperature: 0.3,
      max_tokens: 800,
      tools: [],
      topics: ['billing', 'delivery'],
    },
    change: { temperature: 0.5 },
  } as const
  resourceRoutes(app, ctx, resource)
  versionRoutes(app, ctx, resource)

  app.get(
    '/agents/:id/access',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags: ['Agents'],
        summary: 'Explain who may see an agent',
        description: 'Whether a person of the role `viewer` or `user` with this id and these groups sees it, and why.',
        params: ById,
        querystring: PersonQuery,
        response: { 200: Ok(Explanation) },
      },
    },
    async (request) => {
      const { access } = await service.agents.get(ctx, request.caller, request.params.id)
      return ok(explain(toViewer(request.query), access, 'the agent'))
    },
  )

  app.get(
    '/connections/tools',
    {
      config: { may: 'converse' },
      schema: {
        tags: ['Connections'],
        summary: 'List tools that use accounts',
        description:
          'The tools that you can connect an account to with `POST /connections`. The role `user` gets those of the agents that it sees.',
        response: { 200: Ok(Type.Array(AccountTool)) },
      },
    },
    async (request) => ok(await accountTools(ctx, request.caller)),
  )
}
