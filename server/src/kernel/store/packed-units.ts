import type { Statement } from './commits.ts'

/** Units of statements on their way to the thread that commits. */
export interface PackedUnits {
  /** The texts that it has not had yet; they are numbered on from those it had. */
  texts: string[]
  /** Of each unit: for one statement after the other its number, how many rows it must change, and its parameters. */
  units: (number | readonly unknown[])[][]
}

/** Tells the thread, which brings the log back into the database when it is long enough, that others have added to it. */
export const tendLog = 'tend the log'

/** Lets the thread end by itself: one that is ended while it loads SQLite takes the process with it. */
export const end = 'end'

/** How long the log may get, in pages, before whoever writes next has to do that first. */
export const mostPagesOfLog = 2500

/** A statement may change any number of rows. */
export const anyNumber = -1

export interface Outcome {
  /** Why each unit was not kept, null for those that were, in their order. */
  failures: (string | null)[]
}

/** Why a unit was not kept that expected something else to be there. */
export const superseded = 'superseded'

/** The texts of statements are few and long, so each of them goes to the thread once and is then known by its number. */
export function packer(): (units: Statement[][]) => PackedUnits {
  const numbers = new Map<string, number>()
  return (units) => {
    const texts: string[] = []
    const numberOf = (sql: string): number => {
      let number = numbers.get(sql)
      if (number === undefined) {
        number = numbers.size
        numbers.set(sql, number)
        texts.push(sql)
      }
      return number
    }
    const packed = units.map((unit) =>
      unit.flatMap(({ sql, parameters, changes = anyNumber }) => [numberOf(sql), changes, parameters]),
    )
    return { texts, units: packed }
  }
}
