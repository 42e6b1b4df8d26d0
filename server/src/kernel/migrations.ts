import { createIdempotencyTable, idempotencyHolderMigration } from './http/idempotency-store.ts'
import { createRateLimitTable } from './http/rate-limit.ts'
import { createJobTable } from './jobs/table.ts'
import { createConfigurationTable } from './store/configuration.ts'
import { createDataCopyTable } from './store/data-copy.ts'
import { createKeyCheckTable } from './store/key-check.ts'
import type { DatedMigration } from './store/migrate.ts'
import { createReferenceTable } from './store/references.ts'
import { createReleaseTable } from './store/release.ts'
import { createVersionTable, versionAuthors } from './store/versions.ts'
import { createWorkspaceTable } from './store/workspaces.ts'

/** The tables of the kernel. Most tables refer to workspaces, so this migration runs before those of all features. */
const tables: DatedMigration = {
  name: '2026-11-17-01-kernel',
  async up(db) {
    await createWorkspaceTable(db)
    await createConfigurationTable(db)
    await createReleaseTable(db)
    await createKeyCheckTable(db)
    await createReferenceTable(db)
    await createVersionTable(db)
    await createJobTable(db)
    await createIdempotencyTable(db)
    await createRateLimitTable(db)
    await createDataCopyTable(db)
  },
}

export const kernelMigrations: DatedMigration[] = [tables, idempotencyHolderMigration, versionAuthors]
