import type { Feature } from '../../kernel/feature.ts'
import { agentLabelMigration, agentMigration, handoffMigration, memoryFieldsMigration } from './migrations.ts'
import { routes } from './routes.ts'
import { agents as service } from './service.ts'

export * from './response-format.ts'
export * from './schema.ts'
export * from './service.ts'
export * from './versions.ts'

export const agents: Feature = {
  name: 'agents',
  migrations: [agentMigration, handoffMigration, memoryFieldsMigration, agentLabelMigration],
  resources: [service],
  personalData: [{ table: 'agent', users: 'access', counted: 'access_lists' }],
  routes,
}
