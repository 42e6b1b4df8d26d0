import type { Feature } from '../../kernel/feature.ts'
import { openaiErrors } from './error-form.ts'
import { openaiApiMigration, pendingInputMigration } from './migrations.ts'
import { removeOldPending } from './responses/pending.ts'
import { routes } from './routes.ts'

/** An OpenAI-compatible API in which each agent is a model. */
export const openaiApi: Feature = {
  name: 'openai-api',
  migrations: [openaiApiMigration, pendingInputMigration],
  personalData: [
    {
      table: 'pending_input',
      person: 'user_id',
      exported: { file: 'pending-input.jsonl', columns: ['id', 'metadata', 'items', 'created_at'] },
      erased: 'rows',
      counted: 'pending_inputs',
    },
  ],
  retention: [{ what: 'conversations without a response', remove: removeOldPending }],
  errors: openaiErrors,
  routes,
}
