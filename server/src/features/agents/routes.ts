import type { Context } from '../../kernel/context.ts'
import type { App } from '../../kernel/http/app.ts'
import { resourceRoutes, versionRoutes } from '../../kernel/http/resource-routes.ts'
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
}
