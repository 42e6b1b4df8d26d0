import pino, { type Logger } from 'pino'

const flushEvery = 200

/** Structured lines on standard output, written in batches: a line for each request must not cost a system call. */
export function createLog(level: string): { log: Logger; flush(): void } {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 8192 })
  const log = pino({ level, base: null }, destination)
  const timer = setInterval(() => destination.flush(), flushEvery)
  timer.unref()
  return { log, flush: () => destination.flushSync() }
}
