import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Executor, ExecutorEvents, ExecutorOptions } from './executor.ts'
import type { Response } from './protocol.ts'

const startFile = fileURLToPath(new URL('./thread-start.js', import.meta.url))
const shell = '/bin/sh'
/** Memory of Node itself: stacks of its threads, its own data and the initial heap. */
const programMb = 128
/** The kernel limits the memory, and if the machine itself runs out of memory, it ends this process first. */
const limitAndRun = 'ulimit -d "$1" && shift; echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec "$@"'
/**
 * The kernel counts the address space that V8 reserves for compiled code, although most of it is never used. Its size
 * depends on the processor, but is the same in all processes of one program. It is read before this process has threads:
 * each reserves as much, and the kernel shows two that lie side by side as one.
 */
const reservedForCodeMb = process.platform === 'linux' ? largestCodeMappingMb() : 0
const clockTicksPerSecond = 100
/** V8 and Node abort when an allocation fails. The kernel kills if the machine is out of memory. */
const outOfMemorySignals = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL'])

export function startProcess(
  module: URL,
  { workerData, isolated, process: { memoryMb } = { memoryMb: 0 } }: ExecutorOptions,
  events: ExecutorEvents,
): Executor {
  const startedAt = performance.now()
  const args = [`--max-old-space-size=${memoryMb}`, startFile, module.href, JSON.stringify(workerData ?? null)]
  const child = spawn(...limited(memoryMb, [process.execPath, ...args]), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    ...(isolated && { env: {} }),
  })
  let isTerminated = false
  child.on('message', (message) => events.onMessage(message as Response))
  child.once('error', (cause) => {
    events.onError(cause)
    if (child.pid === undefined) events.onExit()
  })
  child.once('exit', (code, signal) => {
    if (signal && outOfMemorySignals.has(signal) && !isTerminated) events.onOutOfMemory()
    events.onExit(signal ? `by ${signal}` : `with code ${code}`)
  })
  return {
    send: (request) => void child.send(request, () => {}), // a failure is followed by the exit
    ref: () => keepAlive(child, true),
    unref: () => keepAlive(child, false),
    terminate() {
      isTerminated = true
      child.kill('SIGKILL')
    },
    exitGraceMs: 0,
    cpuSeconds: () => cpuSeconds(child, startedAt),
    memoryMb: () => residentMb(child),
  }
}

function limited(memoryMb: number, [program, ...args]: [string, ...string[]]): [string, string[]] {
  if (process.platform !== 'linux' || !existsSync(shell)) return [program, args]
  const kilobytes = Math.ceil((memoryMb + programMb + reservedForCodeMb) * 1024)
  return [shell, ['-c', limitAndRun, 'sh', `${kilobytes}`, program, ...args]]
}

function largestCodeMappingMb(): number {
  const maps = readFileSync('/proc/self/maps', 'latin1').matchAll(/^([\da-f]+)-([\da-f]+) rwxp/gm)
  const sizes = [...maps].map(([, start = '', end = '']) => Number.parseInt(end, 16) - Number.parseInt(start, 16))
  return Math.max(0, ...sizes) / 1024 ** 2
}

function keepAlive(child: ChildProcess, isKept: boolean): void {
  const method = isKept ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
}

/** Systems other than Linux do not tell; there the time by the clock counts. */
async function cpuSeconds({ pid }: ChildProcess, startedAt: number): Promise<number> {
  if (process.platform !== 'linux') return (performance.now() - startedAt) / 1000
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond
}

async function residentMb({ pid }: ChildProcess): Promise<number> {
  if (process.platform !== 'linux') return 0
  const status = await readFile(`/proc/${pid}/status`, 'latin1')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}
