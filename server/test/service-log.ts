import type { LogOutput } from '../src/kernel/log.ts'

const maxLines = 200
let lines: string[] = []

/** The log of all services in this process. Tests run one after the other, so the lines since its start belong to a test. */
export const serviceLog: LogOutput = {
  write(line) {
    lines.push(line)
    if (lines.length > 2 * maxLines) lines = lines.slice(-maxLines)
  },
  flushSync() {},
}

/** Returns the last lines and empties the log. */
export function takeServiceLog(): string {
  const last = lines.slice(-maxLines).join('')
  lines = []
  return last
}
