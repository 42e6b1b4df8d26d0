import pino, { type Logger } from 'pino'

const flushEvery = 200

export interface Log {
  log: Logger
  /** The line for a request. Every request has one, so it is put together here and not by the logger. */
  logRequest(request: AnsweredRequest): void
  flush(): void
}

/** What is told of a request: nothing in it needs escaping. */
interface AnsweredRequest {
  id: string
  method: string
  route: string
  status: number
  milliseconds: number
}

const writtenAtOnce = 8192

/** Structured lines on standard output, written in batches: a line for each request must not cost a system call. */
export function createLog(level: string): Log {
  const output = pino.destination({ dest: 1, sync: false, minLength: writtenAtOnce })
  let lines: string[] = []
  let length = 0
  // The output measures all it holds with every line it gets, so it gets many at once.
  const handOver = () => {
    if (lines.length === 0) return
    output.write(lines.join(''))
    lines = []
    length = 0
  }
  const gathering = {
    write(line: string) {
      lines.push(line)
      length += line.length
      if (length >= writtenAtOnce) handOver()
    },
    flushSync() {
      handOver()
      output.flushSync()
    },
  }
  const log = pino({ level, base: null }, gathering)
  const timer = setInterval(() => {
    handOver()
    output.flush()
  }, flushEvery)
  timer.unref()
  const logRequest = ({ id, method, route, status, milliseconds }: AnsweredRequest): void => {
    const ms = Math.round(milliseconds * 10) / 10
    gathering.write(
      `{"level":30,"time":${Date.now()},"reqId":"${id}","method":"${method}","route":"${route}","status":${status},"ms":${ms},"msg":"answered"}\n`,
    )
  }
  return { log, logRequest: log.isLevelEnabled('info') ? logRequest : () => {}, flush: gathering.flushSync }
}
