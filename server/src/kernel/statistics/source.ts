export type Cell = string | number | null
export type Parameters = Record<string, string>

/** A consistent view of the database. */
export interface Snapshot {
  rows(sql: string, parameters: Parameters): Promise<Cell[][]>
}

/** The database that datasets are loaded from. */
export interface Source {
  /** Runs `work` in one read-only transaction. */
  read<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>
  close(): Promise<void>
}
