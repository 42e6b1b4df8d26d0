import pino, { type Logger } from 'pino'

const flushInterval = 200

export interface Log {
  log: Logger
  /** Logs a request. Formats the line itself, because pino is slower and every request has one. */
  logRequest(request: LoggedRequest): void
  flush(): void
}

/** The logged fields of a request. None needs escaping. */
interface LoggedRequest {
  id: string
  method: string
  route: string
  status: number
  milliseconds: number
}

/** Where the lines of a log go. */
export interface LogOutput {
  write(line: string): void
  flushSync(): void
}

const batchBytes = 8192

/** Standard output, written in batches to save a system call for each line. */
function batchedOutput(): LogOutput {
  const output = pino.destination({ dest: 1, sync: false })
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined
  // Pino's destination measures its whole buffer at each write, so it gets batches.
  const writeBatch = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines.length === 0) return
    output.write(lines.join(''))
    lines = []
    length = 0
  }
  return {
    write(line) {
      lines.push(line)
      length += line.length
      if (length >= batchBytes) writeBatch()
      else timer ??= setTimeout(writeBatch, flushInterval).unref()
    },
    flushSync() {
      writeBatch()
      output.flushSync()
    },
  }
}

/** JSON lines. */
export function createLog(level: string, output: LogOutput = batchedOutput()): Log {
  const log = pino({ level, base: null }, output)
  const logRequest = ({ id, method, route, status, milliseconds }: LoggedRequest): void => {
    const ms = Math.round(milliseconds * 10) / 10
    output.write(
      `{"level":30,"time":${Date.now()},"reqId":"${id}","method":"${method}","route":"${route}","status":${status},"ms":${ms},"msg":"request completed"}\n`,
    )
  }
  return { log, logRequest: log.isLevelEnabled('info') ? logRequest : () => {}, flush: () => output.flushSync() }
}
