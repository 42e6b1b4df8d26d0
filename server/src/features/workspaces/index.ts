import type { Feature } from '../../kernel/feature.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { workspaceMigration } from './migrations.ts'
import { Workspace } from './schema.ts'
import { workspaces as service } from './service.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    workspace: Stored<Workspace>
  }
}

export const workspaces: Feature = {
  name: 'workspaces',
  migrations: [workspaceMigration],
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
