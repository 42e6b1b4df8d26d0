import { existsSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { contentPath, textPath } from '../features/conversations/files/store.ts'
import { uploadPath } from '../features/knowledge-sources/files/stored-files.ts'
import { ConfigError } from '../kernel/config.ts'
import { createSecrets, readKey } from '../kernel/secrets/secrets.ts'

type Sqlite = BetterSqlite.Database

/** The databases of a data folder at one instant. Open snapshots keep the WAL from being reset, so they should be short. */
export interface Snapshot {
  main: Sqlite
  /** Null if nothing was ever indexed. */
  search: Sqlite | null
  close(): void
}

const maxAttempts = 1000

/**
 * Opens both databases at the same instant: after the snapshot of the second has begun, the first has not changed since
 * its own. So the pair is what a crash at that instant would have left, and the service recovers from that.
 */
export function openSnapshot(dataDir: string): Snapshot {
  const opened: Sqlite[] = []
  const close = () => {
    for (const database of opened) database.close()
  }
  const open = (name: string): Sqlite => {
    const database = new BetterSqlite(join(dataDir, name), { readonly: true, timeout: 10_000 })
    opened.push(database)
    return database
  }
  try {
    const main = open('parley.db')
    const watcher = open('parley.db')
    const search = existsSync(join(dataDir, 'search.db')) ? open('search.db') : null
    const changes = (): unknown => watcher.pragma('data_version', { simple: true })
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const before = changes()
      begin(main)
      if (search === null) return { main, search, close }
      begin(search)
      if (changes() === before) return { main, search, close }
      for (const database of [main, search]) database.exec('rollback')
    }
    throw new Error('The database changes too fast for a snapshot.')
  } catch (error) {
    close()
    throw error
  }
}

/** SQLite takes the snapshot at the first read. */
function begin(database: Sqlite): void {
  database.exec('begin')
  database.prepare('select count(*) from sqlite_master').get()
}

const pagesPerStep = 4096

/** Copies the pages of a snapshot and checks the copy. */
export async function copyPages(snapshot: Sqlite, target: string, signal?: AbortSignal): Promise<void> {
  await snapshot.backup(target, {
    progress() {
      signal?.throwIfAborted()
      return pagesPerStep
    },
  })
  const copy = new BetterSqlite(target)
  try {
    copy.pragma('journal_mode = DELETE') // one file, which can be opened read-only; the service sets WAL again
    const [problem] = copy.pragma('quick_check(1)') as { quick_check: string }[]
    if (problem?.quick_check !== 'ok') throw new Error(`the database is damaged: ${problem?.quick_check}`)
  } finally {
    copy.close()
  }
}

/** A file that a row names. */
export interface NamedFile {
  /** Below the folder of files. */
  path: string
  /** The checksum recorded at the upload, or null. */
  sha256: string | null
  /** Not every attachment has a text. */
  optional?: true
}

/**
 * The files that the rows of a snapshot name. A text comes before its attachment, because they are removed in the other
 * order: if the attachment is still there, so was the text, if there ever was one.
 */
export function namedFiles({ main }: Snapshot): NamedFile[] {
  const documents = main
    .prepare<[], { workspace_id: string; knowledge_source_id: string; id: string; sha256: string }>(
      `select workspace_id, knowledge_source_id, id, sha256 from knowledge_document where sha256 is not null
       and parent_id is null and knowledge_source_id in (select id from knowledge_source where type = 'file')`,
    )
    .all()
  const attachments = main
    .prepare<[], { workspace_id: string; id: string; sha256: string }>('select workspace_id, id, sha256 from file')
    .all()
  return [
    ...documents.map(({ workspace_id, knowledge_source_id, id, sha256 }) => ({
      path: uploadPath(workspace_id, knowledge_source_id, id, sha256).join('/'),
      sha256,
    })),
    ...attachments.flatMap(({ workspace_id, id, sha256 }): NamedFile[] => [
      { path: textPath(workspace_id, id).join('/'), sha256: null, optional: true },
      { path: contentPath(workspace_id, id).join('/'), sha256 },
    ]),
  ]
}

export interface SnapshotSchema {
  version: string
  migrations: string[]
}

export function readSchema({ main }: Snapshot): SnapshotSchema {
  const column = (sql: string): string[] => main.prepare(sql).pluck().all() as string[]
  const [version] = column('select version from schema_release')
  if (version === undefined) throw new ConfigError('The database was never started. Start the service once.')
  return { version, migrations: column('select name from kysely_migration order by name') }
}

/** Whether the key in the data folder opens the database. */
export function keyIsInFolder({ main }: Snapshot, dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'secret-key'))) return false
  const sealed = main.prepare("select sealed from key_check where id = 'key_check'").pluck().get() as string | undefined
  try {
    if (sealed !== undefined) createSecrets(readKey({ secretKey: null, dataDir })).open(sealed, 'key_check')
    return true
  } catch {
    return false
  }
}
