import { PassThrough, Readable } from 'node:stream'
import { until } from '../../server/test/harness.ts'
import type { Environment, Io } from '../src/io.ts'
import { run } from '../src/run.ts'

export interface Outcome {
  code: number
  out: string
  err: string
}

export interface Terminal {
  environment?: Environment
  /** Piped into the command. By default stdin is empty. */
  stdin?: string | Readable
  folder?: string
  /** Makes stdout and stderr a terminal with this many columns. */
  columns?: number
}

interface Running {
  outcome: Promise<Outcome>
  /** All of stdout so far. */
  shown(): string
  interrupt(): void
}

function start(argv: string[], terminal: Terminal): Running {
  const written = { out: '', err: '' }
  let interrupted = () => {}
  const sink = (name: 'out' | 'err') => {
    const stream = new PassThrough()
    stream.on('data', (chunk) => {
      written[name] += chunk
    })
    return terminal.columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns: terminal.columns })
  }
  const { stdin = '' } = terminal
  const io: Io = {
    stdin: typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [stdin]) : stdin,
    stdout: sink('out'),
    stderr: sink('err'),
    environment: { HOME: '/nonexistent', ...terminal.environment },
    folder: terminal.folder ?? process.cwd(),
    onInterrupt(call) {
      interrupted = call
      return () => {}
    },
  }
  const outcome = run(argv, io).then(async (code) => {
    await new Promise((resolve) => setImmediate(resolve))
    return { code, ...written }
  })
  return { outcome, shown: () => written.out, interrupt: () => interrupted() }
}

/** Runs a command line in this process. */
export const parley = (argv: string[], terminal: Terminal = {}): Promise<Outcome> => start(argv, terminal).outcome

export interface Interactive extends Running {
  /** Types a line, or keys such as Ctrl-C. */
  type(line: string): void
  press(keys: string): void
  /** Waits until stdout has this. */
  see(text: string | RegExp): Promise<unknown>
}

/** Runs a command in a terminal, where a person types. */
export function interactive(argv: string[], terminal: Terminal = {}): Interactive {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const running = start(argv, { columns: 200, ...terminal, stdin })
  return {
    ...running,
    type: (line) => void stdin.write(`${line}\n`),
    press: (keys) => void stdin.write(keys),
    see: (text) =>
      until(() => (typeof text === 'string' ? running.shown().includes(text) : text.test(running.shown()))),
  }
}

export const connected = ({ url, token }: { url: string; token: string }): Environment => ({
  PARLEY_URL: url,
  PARLEY_TOKEN: token,
  NO_COLOR: '1',
})
