import { PassThrough, Readable } from 'node:stream'
import type { Environment, Io } from '../src/io.ts'
import { run } from '../src/run.ts'

export interface Outcome {
  code: number
  out: string
  err: string
}

export interface Terminal {
  environment?: Environment
  /** What is piped into the command. */
  stdin?: string
  folder?: string
  /** Whether stdout is a terminal, and its columns. */
  columns?: number
}

/** Runs a command line in this process. */
export async function parley(argv: string[], terminal: Terminal = {}): Promise<Outcome> {
  const written = { out: '', err: '' }
  const sink = (name: 'out' | 'err') => {
    const stream = new PassThrough()
    stream.on('data', (chunk) => {
      written[name] += chunk
    })
    return terminal.columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns: terminal.columns })
  }
  const io: Io = {
    stdin: Readable.from(terminal.stdin === undefined ? [] : [terminal.stdin]),
    stdout: sink('out'),
    stderr: sink('err'),
    environment: { HOME: '/nonexistent', ...terminal.environment },
    folder: terminal.folder ?? process.cwd(),
    onInterrupt: () => () => {},
  }
  const code = await run(argv, io)
  await new Promise((resolve) => setImmediate(resolve))
  return { code, ...written }
}
