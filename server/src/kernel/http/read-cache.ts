import type { Context } from '../context.ts'

/** An answer as it goes out. */
export interface WrittenAnswer {
  body: string
  etag: string | null
}

const mostAnswers = 1000
const longestAnswer = 64 * 1024

/**
 * Keeps answers to reads as they were written out, until anything at all changes in the database. Works only where this
 * process owns the database and can tell; elsewhere nothing is kept. Only for answers that follow from the database and
 * the key alone.
 */
export function createReadCache({ changes }: Pick<Context, 'changes'>) {
  const answers = new Map<string, WrittenAnswer>()
  let asOf = -1

  /** Of now, or nothing. */
  const known = (key: string): WrittenAnswer | undefined => {
    const now = changes()
    if (now === asOf) return answers.get(key)
    answers.clear()
    if (now !== null) asOf = now
    return undefined
  }

  const remember = async (key: string, write: () => Promise<WrittenAnswer>): Promise<WrittenAnswer> => {
    const before = changes()
    const answer = await write()
    // What was read while something changed may be older than the change.
    if (before !== null && changes() === before && asOf === before && answer.body.length <= longestAnswer) {
      if (answers.size >= mostAnswers) answers.clear()
      answers.set(key, answer)
    }
    return answer
  }
  return { known, remember }
}
