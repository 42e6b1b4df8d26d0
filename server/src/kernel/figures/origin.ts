export type Cell = string | number | null
export type Parameters = Record<string, string>

/** The database that books are made from, as it was at one moment. */
export interface Snapshot {
  rows(sql: string, parameters: Parameters): Promise<Cell[][]>
}

export interface Origin {
  /** Everything that is read meanwhile is of the same moment. */
  reading<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>
  close(): Promise<void>
}
