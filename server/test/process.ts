import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { addFailureNote } from './failure-notes.ts'

const program = fileURLToPath(new URL('../../bin/parley.js', import.meta.url))

export interface Started {
  child: ChildProcess
  output(): string
  errors(): string
  /** Resolves with the URL when the process listens. */
  address: Promise<string>
  ended: Promise<number | null>
}

const inherited = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  TMPDIR: process.env.TMPDIR ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
})

/** The points at which `startKilledAt` can end a process: reading, building or embedding a document. */
export type KillPoint = 'read' | 'build' | 'embed'

/** Starts the service in a process that is killed (-9) by itself when it reaches a point for the nth time. */
export const startKilledAt = (environment: Record<string, string>, point: KillPoint, nth: number): Started =>
  startProcess(environment, {
    file: fileURLToPath(new URL('killed-at.ts', import.meta.url)),
    args: [point, String(nth)],
  })

/** Starts a node whose clock starts at a time, and is set by `setClock`. */
export const startWithClock = (environment: Record<string, string>, time: number): Started =>
  startProcess(environment, {
    file: fileURLToPath(new URL('clock-node.ts', import.meta.url)),
    args: [String(time)],
    hasInput: true,
  })

export const setClock = ({ child }: Started, time: number): void => void child.stdin?.write(`${time}\n`)

/** Starts the program as a user would, but without the demo. A limit on file size simulates a full disk. */
export function startProcess(
  environment: Record<string, string>,
  {
    maxFileKilobytes,
    file = program,
    args = [],
    hasInput = false,
  }: { maxFileKilobytes?: number; file?: string; args?: string[]; hasInput?: boolean } = {},
): Started {
  const command = [process.execPath, file, ...args]
  const limited = ['bash', '-c', `ulimit -f ${maxFileKilobytes}; exec "$@"`, 'bash', ...command]
  const [executable = '', ...parameters] = maxFileKilobytes === undefined ? command : limited
  const child = spawn(executable, parameters, {
    env: { ...inherited(), PORT: '0', DEMO: 'false', ...environment },
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const address = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk
      const match = /listening on (http:\/\/\S+)\n/.exec(output)
      if (match?.[1]) resolve(match[1])
    })
    child.stderr?.on('data', (chunk) => {
      errors += chunk
    })
    ended.then((code) => reject(new Error(`it ended with ${code}: ${errors}`)))
  })
  address.catch(() => {})
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') addFailureNote(`Output of the process:\n${output}${errors}`)
  })
  return { child, output: () => output, errors: () => errors, address, ended }
}
