import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { createResponseTable } from './responses/record.ts'

export const openaiApiMigration: DatedMigration = { name: '2026-11-17-17-openai-api', up: createResponseTable }
