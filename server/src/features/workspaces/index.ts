import type { Feature } from '../../kernel/feature.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { Workspace } from './schema.ts'
import { workspaces as service } from './service.ts'

export * from './service.ts'

export const workspaces: Feature = {
  name: 'workspaces',
  resources: [service],
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/workspaces',
      title: 'Workspace',
      tag: 'Workspaces',
      shape: Workspace,
      service,
      read: 'manage-workspaces',
      write: 'manage-workspaces',
      example: { name: 'Acme', description: 'The agents of the Acme team.' },
    })
  },
}
