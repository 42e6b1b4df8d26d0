import { chmodSync, rmSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import type { Names } from './book.ts'

/**
 * Where the days of books are kept: a file of this node's own. It holds nothing that the database does not hold, so it may
 * be lost or thrown away at any time.
 */
export interface Shelf {
  begin(): void
  /** As `begin`, but nobody else changes anything until the end. */
  beginChanging(): void
  end(): void
  abandon(): void
  stampsOf(workspace: string, book: string): Map<string, string>
  put(workspace: string, book: string, day: string, stamp: string, data: Buffer): void
  days(workspace: string, book: string, from: string, to: string): IterableIterator<{ day: string; data: Uint8Array }>
  names(workspace: string): Names & { numberFor(kind: string, name: string): number }
  close(): void
}

const layout = 1

export function openShelf(file: string): Shelf {
  try {
    return shelfIn(open(file))
  } catch {
    // Damaged, or made by another version: it is only a copy.
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    return shelfIn(open(file))
  }
}

function open(file: string): BetterSqlite.Database {
  const sqlite = new BetterSqlite(file)
  try {
    chmodSync(file, 0o600)
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = OFF')
    sqlite.pragma('busy_timeout = 60000')
    const found = sqlite.pragma('user_version', { simple: true })
    if (found !== 0 && found !== layout) throw new Error('This file has another layout.')
    sqlite.exec(`
      create table if not exists segment (
        workspace text not null, book text not null, day text not null, stamp text not null, data blob not null,
        primary key (workspace, book, day));
      create table if not exists name (
        workspace text not null, kind text not null, name text not null, number integer not null,
        primary key (workspace, kind, name)) without rowid;
      create unique index if not exists name_number on name (workspace, kind, number);
      pragma user_version = ${layout}`)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

function shelfIn(sqlite: BetterSqlite.Database): Shelf {
  const stamps = sqlite.prepare<[string, string], { day: string; stamp: string }>(
    'select day, stamp from segment where workspace = ? and book = ?',
  )
  const put = sqlite.prepare('insert or replace into segment values (?, ?, ?, ?, ?)')
  const days = sqlite.prepare<[string, string, string, string], { day: string; data: Uint8Array }>(
    'select day, data from segment where workspace = ? and book = ? and day >= ? and day <= ? order by day',
  )
  const find = sqlite.prepare<[string, string, string], number>(
    'select number from name where workspace = ? and kind = ? and name = ?',
  )
  const all = sqlite.prepare<[string, string, number], [number, string]>(
    'select number, name from name where workspace = ? and kind = ? and number >= ?',
  )
  const last = sqlite.prepare<[string, string], number>('select max(number) from name where workspace = ? and kind = ?')
  const add = sqlite.prepare('insert into name (workspace, kind, name, number) values (?, ?, ?, ?)')
  find.pluck()
  last.pluck()
  all.raw()
  /** A name keeps its number, so that a list only grows. */
  const lists = new Map<string, string[]>()
  const size = (workspace: string, kind: string): number => (last.get(workspace, kind) ?? 0) + 1
  return {
    begin: () => void sqlite.exec('begin'),
    beginChanging: () => void sqlite.exec('begin immediate'),
    end: () => void sqlite.exec('commit'),
    abandon: () => void (sqlite.inTransaction && sqlite.exec('rollback')),
    stampsOf: (workspace, book) => new Map(stamps.all(workspace, book).map(({ day, stamp }) => [day, stamp])),
    put: (...segment) => void put.run(...segment),
    days: (...which) => days.iterate(...which),
    names(workspace) {
      const known = new Map<string, Map<string, number>>()
      return {
        numberOf: (kind, name) => find.get(workspace, kind, name) ?? 0,
        all(kind) {
          const names = lists.get(`${workspace} ${kind}`) ?? []
          for (const [number, name] of all.iterate(workspace, kind, names.length || 1)) names[number] = name
          lists.set(`${workspace} ${kind}`, names)
          return names
        },
        size: (kind) => size(workspace, kind),
        numberFor(kind, name) {
          const ofKind = known.get(kind) ?? new Map<string, number>()
          known.set(kind, ofKind)
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
    },
    close: () => void sqlite.close(),
  }
}
