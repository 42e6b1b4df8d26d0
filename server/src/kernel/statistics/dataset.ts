/**
 * A dataset is the part of a table that statistics read: a few columns, by day. Days are cached as columns of numbers, so
 * that a year of a million rows is aggregated in a fraction of the time that the database takes.
 */
export interface Dataset<Question, Result> {
  name: string
  /** SQL: `day` and `stamp` of the days from `$from` to `$to`. A different stamp means that rows of the day have changed. */
  stamps: string
  tables: Record<string, DatasetTable>
  /** Aggregates the requested days. */
  aggregate(days: Iterable<Day>, names: Names, question: Question): Result
}

export interface DatasetTable {
  /** SQL: the rows of `$day`, one cell per column, in the order of `columns`. Numbers are integers and not negative. */
  rows: string
  /** A number, or text of some kind (`{ name: 'agent' }`), which is stored as the number assigned to it. */
  columns: Record<string, 'number' | { name: string }>
}

export interface Day {
  day: string
  tables: Record<string, Columns>
}

/** A column is under `values` or `names`, as the dataset declares it. */
export interface Columns {
  rows: number
  /** Each value is stored plus one; 0 is null. */
  values: Record<string, Float64Array>
  /** The numbers assigned to the names; 0 is null. */
  names: Record<string, Uint32Array>
}

/** The names to which numbers are assigned, from 1 on. */
export interface Names {
  /** 0 if the name is unknown. */
  numberOf(kind: string, name: string): number
  all(kind: string): string[]
  /** Greater than the largest number of this kind. */
  size(kind: string): number
}

/** Days, both inclusive. */
export interface DateRange {
  from: string
  to: string
}
