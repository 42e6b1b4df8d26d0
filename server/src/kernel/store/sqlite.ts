import type BetterSqlite from 'better-sqlite3'

/** The settings of every connection to the embedded database. */
export function configureSqlite(sqlite: BetterSqlite.Database): void {
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL') // acknowledged writes survive a power failure
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('busy_timeout = 5000')
  sqlite.pragma('cache_size = -16384')
}

/** SQLite has no booleans. */
export const bindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

/** Replaces SQLite's lower(), which handles only ASCII. */
export function addUnicodeLower(sqlite: BetterSqlite.Database): void {
  sqlite.function('lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  )
}
