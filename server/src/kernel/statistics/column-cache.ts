import { chmodSync, rmSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Names } from './dataset.ts'

/** The encoded days of datasets, in an SQLite file of this node. The file is a copy and can be deleted at any time. */
export interface ColumnCache {
  begin(): void
  /** Begins a transaction that excludes other writers. */
  beginWrite(): void
  commit(): void
  /** Does nothing outside a transaction. */
  rollback(): void
  stamps(workspace: string, dataset: string): Map<string, string>
  put(workspace: string, dataset: string, day: string, stamp: string, data: Buffer): void
  days(workspace: string, dataset: string, from: string, to: string): Iterable<{ day: string; data: Uint8Array }>
  /** Removes the data of all other workspaces. */
  retainOnly(workspaces: string[]): void
  /**
   * Removes the data of a workspace unless it was loaded after its last erasure: names of erased people must not stay in
   * the file. Returns whether anything was removed.
   */
  removeBefore(workspace: string, erasure: string): boolean
  names(workspace: string): AssignableNames
  close(): void
}

interface AssignableNames extends Names {
  /** The number of a name, assigned if it has none yet. */
  assign(kind: string, name: string): number
}

const schemaVersion = 1
const maxNamesInMemory = 2_000_000

export function openColumnCache(file: string): ColumnCache {
  try {
    return columnCache(open(file))
  } catch {
    // Damaged, or written by another version.
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    return columnCache(open(file))
  }
}

function open(file: string): BetterSqlite.Database {
  const sqlite = new BetterSqlite(file)
  try {
    chmodSync(file, 0o600)
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = OFF')
    sqlite.pragma('secure_delete = ON') // it holds names of people
    sqlite.pragma('busy_timeout = 60000')
    const found = sqlite.pragma('user_version', { simple: true })
    if (found !== 0 && found !== schemaVersion) throw new Error(`Unknown schema version ${found}`)
    sqlite.exec(`
      create table if not exists segment (
        workspace text not null, dataset text not null, day text not null, stamp text not null, data blob not null,
        primary key (workspace, dataset, day));
      create table if not exists name (
        workspace text not null, kind text not null, name text not null, number integer not null,
        primary key (workspace, kind, name)) without rowid;
      create table if not exists erasure (workspace text primary key, erasure text not null) without rowid;
      create unique index if not exists name_number on name (workspace, kind, number);
      pragma user_version = ${schemaVersion}`)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

function columnCache(sqlite: BetterSqlite.Database): ColumnCache {
  const stamps = sqlite.prepare<[string, string], { day: string; stamp: string }>(
    'select day, stamp from segment where workspace = ? and dataset = ?',
  )
  const put = sqlite.prepare('insert or replace into segment values (?, ?, ?, ?, ?)')
  const days = sqlite.prepare<[string, string, string, string], { day: string; data: Uint8Array }>(
    'select day, data from segment where workspace = ? and dataset = ? and day >= ? and day <= ? order by day',
  )
  const erasureOf = sqlite.prepare<[string], string>('select erasure from erasure where workspace = ?').pluck()
  const setErasure = sqlite.prepare('insert or replace into erasure values (?, ?)')
  const { namesOf, forget } = nameTable(sqlite)
  return {
    begin: () => void sqlite.exec('begin'),
    beginWrite: () => void sqlite.exec('begin immediate'),
    commit: () => void sqlite.exec('commit'),
    rollback: () => void (sqlite.inTransaction && sqlite.exec('rollback')),
    stamps: (workspace, dataset) => new Map(stamps.all(workspace, dataset).map(({ day, stamp }) => [day, stamp])),
    put: (...segment) => void put.run(...segment),
    days: (...which) => days.iterate(...which),
    retainOnly(workspaces) {
      const retained = JSON.stringify(workspaces)
      for (const table of ['segment', 'name', 'erasure'])
        sqlite.prepare(`delete from ${table} where workspace not in (select value from json_each(?))`).run(retained)
    },
    removeBefore(workspace, erasure) {
      if (erasureOf.get(workspace) === erasure) return false
      for (const table of ['segment', 'name']) sqlite.prepare(`delete from ${table} where workspace = ?`).run(workspace)
      setErasure.run(workspace, erasure)
      forget(workspace)
      return true
    },
    names: namesOf,
    close: () => void sqlite.close(),
  }
}

function nameTable(sqlite: BetterSqlite.Database) {
  const find = sqlite
    .prepare<[string, string, string], number>('select number from name where workspace = ? and kind = ? and name = ?')
    .pluck()
  const from = sqlite
    .prepare<[string, string, number], [number, string]>(
      'select number, name from name where workspace = ? and kind = ? and number >= ?',
    )
    .raw()
  const last = sqlite
    .prepare<[string, string], number>('select max(number) from name where workspace = ? and kind = ?')
    .pluck()
  const add = sqlite.prepare('insert into name (workspace, kind, name, number) values (?, ?, ?, ?)')
  // A name keeps its number, so a list only has to be extended.
  const lists = new LRUCache<string, string[]>({
    maxSize: maxNamesInMemory,
    sizeCalculation: (names) => names.length + 1,
  })
  const size = (workspace: string, kind: string): number => (last.get(workspace, kind) ?? 0) + 1
  const namesOf = (workspace: string): AssignableNames => {
    const assigned = new Map<string, Map<string, number>>()
    return {
      numberOf: (kind, name) => find.get(workspace, kind, name) ?? 0,
      all(kind) {
        const key = `${workspace} ${kind}`
        const names = lists.get(key) ?? []
        for (const [number, name] of from.iterate(workspace, kind, names.length || 1)) names[number] = name
        lists.delete(key)
        lists.set(key, names) // again, because its size has changed
        return names
      },
      size: (kind) => size(workspace, kind),
      assign(kind, name) {
        const ofKind = assigned.get(kind) ?? new Map<string, number>()
        assigned.set(kind, ofKind)
        let number = ofKind.get(name)
        if (number === undefined) {
          number = find.get(workspace, kind, name)
          if (number === undefined) {
            number = size(workspace, kind)
            add.run(workspace, kind, name, number)
          }
          ofKind.set(name, number)
        }
        return number
      },
    }
  }
  const forget = (workspace: string): void => {
    for (const key of [...lists.keys()]) if (key.startsWith(`${workspace} `)) lists.delete(key)
  }
  return { namesOf, forget }
}
