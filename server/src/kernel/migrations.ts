import { createIdempotencyTable } from './http/idempotency-store.ts'
import { createRateLimitTable } from './http/rate-limit.ts'
import { createJobTable } from './jobs/table.ts'
import { createAuditTables } from './store/audit-table.ts'
import { createDataCopyTable } from './store/data-copy.ts'
import { createKeyCheckTable } from './store/key-check.ts'
import type { DatedMigration } from './store/migrate.ts'
import { createPeopleTables } from './store/people.ts'
import { createReferenceTable } from './store/references.ts'
import { createReleaseTable } from './store/release.ts'
import { createVersionTable } from './store/versions.ts'

/** The tables of the kernel. Most refer to workspaces, whose migration therefore runs before this one. */
export const kernelMigration: DatedMigration = {
  name: '2026-11-17-02-kernel',
  async up(db) {
    await createReleaseTable(db)
    await createKeyCheckTable(db)
    await createReferenceTable(db)
    await createVersionTable(db)
    await createAuditTables(db)
    await createJobTable(db)
    await createIdempotencyTable(db)
    await createRateLimitTable(db)
    await createDataCopyTable(db)
    await createPeopleTables(db)
  },
}
