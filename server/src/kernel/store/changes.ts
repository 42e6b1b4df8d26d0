/** Counts what is written to the database of which this process is the only owner. */
export interface Changes {
  /** Everything that is written passes here, once it is done. */
  note(sql: string): void
  /** Names tables that are written to all the time, and that nothing remembered was read from. */
  leaveOut(tables: readonly string[]): void
  /** How often anything was written. */
  all(): number
  /** How often anything was written but to the tables left out. */
  lasting(): number
}

const mostTexts = 2000
const writing = /^\s*(?:insert\s+(?:or\s+\w+\s+)?into|update|delete\s+from)\s+["`]?(\w+)/i
const ending = /^\s*(?:commit|end|rollback)\b/i
const beginning = /^\s*begin\b/i

export function countChanges(): Changes {
  const leftOut = new Set<string>()
  const effects = new Map<string, Effect>()
  let all = 0
  let lasting = 0
  let unsettled = false

  const effectOf = (sql: string): Effect => {
    let effect = effects.get(sql)
    if (effect === undefined) {
      if (effects.size >= mostTexts) effects.clear()
      const table = writing.exec(sql)?.[1]
      if (beginning.test(sql)) effect = 'begins'
      else if (ending.test(sql)) effect = 'ends'
      else effect = table !== undefined && leftOut.has(table) ? 'passes' : 'lasts'
      effects.set(sql, effect)
    }
    return effect
  }

  return {
    note(sql) {
      all++
      const effect = effectOf(sql)
      // Others see what a transaction has changed only when it ends, so it counts once more then.
      if (effect === 'lasts' || (effect === 'ends' && unsettled)) lasting++
      if (effect === 'lasts') unsettled = true
      else if (effect !== 'passes') unsettled = false
    },
    leaveOut: (tables) => {
      for (const table of tables) leftOut.add(table)
      effects.clear()
    },
    all: () => all,
    lasting: () => lasting,
  }
}

type Effect = 'begins' | 'ends' | 'passes' | 'lasts'
