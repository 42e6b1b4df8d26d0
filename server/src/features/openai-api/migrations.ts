import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { createPendingTable } from './responses/pending.ts'
import { createResponseTable } from './responses/record.ts'

export const openaiApiMigration: DatedMigration = { name: '2026-11-17-17-openai-api', up: createResponseTable }

export const pendingInputMigration: DatedMigration = { name: '2026-11-18-17-pending-input', up: createPendingTable }
