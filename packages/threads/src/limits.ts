import { setTimeout as delay } from 'node:timers/promises'
import type { Executor } from './executor.ts'

/** Limits of one call. A thread that exceeds them is stopped. */
export interface CallLimits {
  /** Wall-clock time. */
  timeoutMs?: number
  /** Processor time of the thread. A thread of low priority may wait long for a processor. */
  cpuSeconds?: number
}

const cpuReplyMs = 500
/** A call may take this many times its processor time by the clock. */
const maxWallFactor = 5

/** Calls `onExceeded` at the first limit that is exceeded. Returns a function that stops watching. */
export function watchLimits(
  executor: Executor,
  { timeoutMs, cpuSeconds }: CallLimits,
  onExceeded: () => void,
): () => void {
  const stops: (() => void)[] = []
  if (timeoutMs !== undefined) {
    const timer = setTimeout(onExceeded, timeoutMs)
    stops.push(() => clearTimeout(timer))
  }
  if (cpuSeconds !== undefined) stops.push(watchCpu(executor, cpuSeconds, onExceeded))
  return () => {
    for (const stop of stops) stop()
  }
}

function watchCpu(executor: Executor, seconds: number, onExceeded: () => void): () => void {
  const started = performance.now()
  const before = executor.cpuSeconds()
  before.catch(() => {}) // the thread has just stopped; its exit is reported elsewhere
  const used = async (): Promise<number> => (await executor.cpuSeconds()) - (await before)
  const check = async () => {
    // A thread in a long synchronous loop does not reply: count it as over the limit.
    const taken = await Promise.race([used().catch(() => seconds), delay(cpuReplyMs, seconds)])
    if (taken >= seconds || performance.now() - started > maxWallFactor * seconds * 1000) onExceeded()
    else timer = setTimeout(check, Math.max(0.1, seconds - taken) * 1000)
  }
  let timer = setTimeout(check, seconds * 1000)
  return () => clearTimeout(timer)
}
