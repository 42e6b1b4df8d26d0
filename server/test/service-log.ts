import type { LogOutput } from '../src/kernel/log.ts'

const maxLines = 200
let lines: string[] = []
/** Answers with 5xx, warnings and errors stay, however long the test waits for what they prevented. */
let faults: string[] = []

const isFault = (line: string): boolean => /^\{"level":[4-6]|"status":5/.test(line)

/** The log of all services in this process. Tests run one after the other, so the lines since its start belong to a test. */
export const serviceLog: LogOutput = {
  write(line) {
    lines.push(line)
    if (lines.length <= 2 * maxLines) return
    faults = [...faults, ...lines.slice(0, -maxLines).filter(isFault)].slice(0, maxLines)
    lines = lines.slice(-maxLines)
  },
  flushSync() {},
}

/** Returns the faults and the last lines, and empties the log. */
export function takeServiceLog(): string {
  const old = lines.slice(0, -maxLines).filter(isFault)
  const last = [...faults, ...old, ...lines.slice(-maxLines)].join('')
  lines = []
  faults = []
  return last
}
