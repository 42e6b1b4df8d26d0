import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { ThreadErrorCode } from './thread-error.ts'

/** What one call may use before its thread is stopped. */
export interface CallLimits {
  /** Wall-clock time. */
  timeoutMs?: number
  /** Processor time of the thread. A thread of low priority may wait long for a processor. */
  cpuSeconds?: number
  /** Heap and buffers. V8's own limit does not count buffers outside of the heap. */
  memoryMb?: number
}

const memoryCheckMs = 100
const cpuReplyMs = 500
/** A call may take this many times its processor time by the clock. */
const maxWallFactor = 5

/** Calls `onExceeded` at the first limit that is exceeded. Returns a function that stops watching. */
export function watchLimits(
  worker: Worker,
  { timeoutMs, cpuSeconds, memoryMb }: CallLimits,
  onExceeded: (code: ThreadErrorCode) => void,
): () => void {
  const stops: (() => void)[] = []
  if (timeoutMs !== undefined) {
    const timer = setTimeout(() => onExceeded('timeout'), timeoutMs)
    stops.push(() => clearTimeout(timer))
  }
  if (cpuSeconds !== undefined) stops.push(watchCpu(worker, cpuSeconds, () => onExceeded('timeout')))
  if (memoryMb !== undefined) {
    const check = () =>
      usedMemoryMb(worker).then(
        (used) => used > memoryMb && onExceeded('memory'),
        () => {}, // the thread has just stopped; its exit is reported elsewhere
      )
    const timer = setInterval(check, memoryCheckMs)
    stops.push(() => clearInterval(timer))
  }
  return () => {
    for (const stop of stops) stop()
  }
}

async function usedMemoryMb(worker: Worker): Promise<number> {
  const { used_heap_size, external_memory } = await worker.getHeapStatistics()
  return (used_heap_size + external_memory) / 1024 ** 2
}

/** What a thread holds, with the part of its heap that is free after a large call. */
export async function heldMemoryMb(worker: Worker): Promise<number> {
  const { total_heap_size, external_memory } = await worker.getHeapStatistics()
  return (total_heap_size + external_memory) / 1024 ** 2
}

function watchCpu(worker: Worker, seconds: number, onExceeded: () => void): () => void {
  const started = performance.now()
  const before = worker.cpuUsage()
  before.catch(() => {}) // the thread has just stopped; its exit is reported elsewhere
  const used = async (): Promise<number> => {
    const { user, system } = await worker.cpuUsage(await before)
    return (user + system) / 1e6
  }
  const check = async () => {
    // A thread in a long synchronous loop does not reply: count it as over the limit.
    const taken = await Promise.race([used().catch(() => seconds), delay(cpuReplyMs, seconds)])
    if (taken >= seconds || performance.now() - started > maxWallFactor * seconds * 1000) onExceeded()
    else timer = setTimeout(check, Math.max(0.1, seconds - taken) * 1000)
  }
  let timer = setTimeout(check, seconds * 1000)
  return () => clearTimeout(timer)
}
