import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Seconds of processor time a process has used. A busy machine stretches the clock, but not this. */
export function cpuSeconds({ process: { pid } }: { process: { pid?: number | undefined } }): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticksPerSecond = 100
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export interface Running {
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

/** The flags of `npm start`. */
const asStarted = ['--max-semi-space-size=8', '--heap-growing-percent=60']
const root = fileURLToPath(new URL('..', import.meta.url))

/** Starts a program of the project, or of another checkout of it, and waits for the address that it prints. */
async function run(script: string, environment: Record<string, string>, checkout = root): Promise<Running> {
  const child = spawn(process.execPath, [...asStarted, join(checkout, script)], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', MALLOC_ARENA_MAX: '2', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    const look = (chunk: Buffer) => {
      text += chunk
      const match = /listening on (http:\/\/\S+)/.exec(text)
      if (!match?.[1]) return
      child.stdout?.off('data', look) // only the log follows, and reading it would slow the bench down
      resolve(match[1])
    }
    child.stdout?.on('data', look)
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
  child.stdout?.resume()
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
  }
  return { url, process: child, stop }
}

export const token = 'the-token-of-the-bench'

/** The real service with everything on: authentication, limits (too high to refuse), durable writes, logs. In a folder of its own, unless one is given to keep. */
export async function startParley(environment: Record<string, string> = {}, checkout?: string): Promise<Running> {
  const kept = environment.DATA_DIR
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const running = await run(
    'bin/parley.js',
    {
      DATA_DIR: folder,
      ADMIN_TOKEN: token,
      RATE_LIMIT: '1000000000',
      DEMO: 'false',
      ...environment,
    },
    checkout,
  )
  return {
    ...running,
    async stop() {
      await running.stop()
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const startProvider = (environment: Record<string, string> = {}): Promise<Running> =>
  run('bench/provider.ts', environment)

export async function startMinimal(provider: string): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const running = await run('bench/minimal.ts', { PROVIDER: provider, DATABASE: join(folder, 'minimal.db') })
  return {
    ...running,
    async stop() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const startBare = (answers: Record<string, string>): Promise<Running> =>
  run('bench/bare.ts', { ANSWERS: JSON.stringify(answers) })
