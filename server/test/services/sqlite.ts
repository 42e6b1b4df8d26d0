import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectMigrations } from '../../src/app.ts'
import { features } from '../../src/features/index.ts'
import { migrate } from '../../src/kernel/store/migrate.ts'
import { openStore } from '../../src/kernel/store/open-store.ts'
import { makeFolder } from './folder.ts'

let template: Promise<Buffer> | undefined

/** Copies an empty migrated database into a folder, so that each test process migrates only once. */
export async function placeMigrated(folder: string): Promise<void> {
  template ??= makeTemplate()
  writeFileSync(join(folder, 'parley.db'), await template, { mode: 0o600 })
}

async function makeTemplate(): Promise<Buffer> {
  const folder = makeFolder('template')
  try {
    const store = await openStore({ databaseUrl: null, dataDir: folder })
    await migrate(store.db, collectMigrations(features))
    await store.close()
    return readFileSync(join(folder, 'parley.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
