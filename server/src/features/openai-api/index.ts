import type { Feature } from '../../kernel/feature.ts'
import { openaiErrors } from './error-form.ts'
import { openaiApiMigration } from './migrations.ts'
import { routes } from './routes.ts'

/** An OpenAI-compatible API in which each agent is a model. */
export const openaiApi: Feature = {
  name: 'openai-api',
  migrations: [openaiApiMigration],
  errors: openaiErrors,
  routes,
}
