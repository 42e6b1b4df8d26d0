import type { Feature } from '../../kernel/feature.ts'
import { hour } from '../../kernel/time.ts'
import { openaiErrors } from './error-form.ts'
import { handoverMigration, removeOldHandovers } from './handover.ts'
import { handoversOfPerson } from './personal-data.ts'
import { responseMigration } from './responses/record.ts'
import { routes } from './routes.ts'

/** An OpenAI-compatible API in which each agent is a model. */
export const openaiApi: Feature = {
  name: 'openai-api',
  migrations: [handoverMigration, responseMigration],
  personalData: [handoversOfPerson],
  errors: openaiErrors,
  jobs: (ctx) => ctx.jobs.define({ queue: 'openai-api.handovers', every: hour, run: () => removeOldHandovers(ctx) }),
  routes,
}
