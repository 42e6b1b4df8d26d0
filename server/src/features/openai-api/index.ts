import type { Feature } from '../../kernel/feature.ts'
import { openaiErrors } from './error-form.ts'
import { responseMigration } from './responses/record.ts'
import { routes } from './routes.ts'

/** An OpenAI-compatible API in which each agent is a model. */
export const openaiApi: Feature = {
  name: 'openai-api',
  migrations: [responseMigration],
  errors: openaiErrors,
  routes,
}
