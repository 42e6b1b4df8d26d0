import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../bin/parley.js', import.meta.url))
const restartAfter = 300

/** One node of the cluster, restarted whenever it ends, as a process manager does. */
export class NodeProcess {
  readonly name: string
  /** Where it serves requests; null while it is down, and for workers. */
  url: string | null = null
  isReady = false
  readonly #command: string[]
  readonly #environment: Record<string, string>
  readonly #logFile: string
  #child: ChildProcess | undefined
  #isStopped = false
  #heldUntil = 0

  constructor(
    name: string,
    environment: Record<string, string>,
    logFile: string,
    { maxFileKilobytes }: { maxFileKilobytes?: number } = {},
  ) {
    this.name = name
    this.#environment = environment
    this.#logFile = logFile
    const command = [process.execPath, program]
    this.#command =
      maxFileKilobytes === undefined
        ? command
        : ['bash', '-c', `ulimit -f ${maxFileKilobytes}; exec "$@"`, 'bash', ...command]
  }

  start(): void {
    if (this.#isStopped) return
    const [executable = '', ...parameters] = this.#command
    const child = spawn(executable, parameters, {
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: '0', ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    let output = ''
    const log = (chunk: Buffer) => appendFileSync(this.#logFile, chunk)
    child.stdout?.on('data', (chunk: Buffer) => {
      log(chunk)
      if (this.isReady) return
      output += chunk
      const [, url] = /listening on (http:\/\/\S+)\n/.exec(output) ?? []
      this.url = url ?? null
      this.isReady = url !== undefined || output.includes('is running jobs')
    })
    child.stderr?.on('data', log)
    child.once('close', () => {
      Object.assign(this, { url: null, isReady: false })
      setTimeout(() => this.start(), Math.max(restartAfter, this.#heldUntil - Date.now()))
    })
  }

  /** Ends it without a warning; it starts again after `downFor` milliseconds. */
  kill(downFor: number): void {
    Object.assign(this, { url: null, isReady: false })
    this.#heldUntil = Date.now() + downFor
    this.#child?.kill('SIGKILL')
  }

  /** SIGUSR2 lets its clock jump. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    this.#child?.kill(name)
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await closed
  }
}
