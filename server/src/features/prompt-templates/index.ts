import type { Feature } from '../../kernel/feature.ts'
import { promptTemplateMigration, templateLabelMigration } from './migrations.ts'
import { routes } from './routes.ts'
import { promptTemplates as service } from './service.ts'

export * from './service.ts'

export const promptTemplates: Feature = {
  name: 'prompt-templates',
  migrations: [promptTemplateMigration, templateLabelMigration],
  resources: [service],
  routes,
}
