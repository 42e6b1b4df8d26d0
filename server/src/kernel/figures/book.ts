/**
 * A book is what statistics read of a table: a few columns of its rows, day by day. Its days are kept as columns of plain
 * numbers, so that a year of a million rows is gone through in the time that a database takes for a few thousand.
 */
export interface Book<Question, Answer> {
  name: string
  /** SQL: `day` and `stamp` of the days from `$from` to `$to`. Another stamp means that rows of the day have changed. */
  stamps: string
  tables: Record<string, BookTable>
  /** Goes through the days that were asked for. */
  answer(days: Iterable<Day>, names: Names, question: Question): Answer
}

export interface BookTable {
  /** SQL: the rows of `$day`, with a cell for each column, in their order. Numbers are whole and not negative. */
  rows: string
  /** What a cell is: a number, or a name of some kind, which is kept as the number that stands for it. */
  columns: Record<string, 'number' | { name: string }>
}

export interface Day {
  day: string
  tables: Record<string, Columns>
}

/** A column is under `values` or `names`, as the book declares it. */
export interface Columns {
  rows: number
  /** With one added to each; 0 where there is none. */
  values: Record<string, Float64Array>
  /** The numbers that stand for the names; 0 where there is none. */
  names: Record<string, Uint32Array>
}

/** The names that numbers stand for, from 1 on. */
export interface Names {
  /** 0 where nothing has this name. */
  numberOf(kind: string, name: string): number
  all(kind: string): string[]
  /** More than the largest number of this kind. */
  size(kind: string): number
}

/** The days that are meant, both included. */
export interface Span {
  from: string
  to: string
}
