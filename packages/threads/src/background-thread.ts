import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

let isBackground = false

/**
 * Lets every other thread of the machine go first, for the one that calls it and those that it starts: who waits for an
 * answer should not notice what is done in the background. Linux alone knows priorities of threads.
 */
export function yieldToOthers(): void {
  isBackground = true
  try {
    const [thread] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // then it shares with everybody
  }
}

/** When somebody was last seen to wait, as milliseconds of a day, for all threads to read. */
const seen = new Int32Array(sharedBytes('somebody waits'))
const clock = (): number => Date.now() % 86_400_000

/** Says that there is somebody whom work in the background should not hold up. */
export function somebodyWaits(): void {
  seen[0] = clock()
}

/** Milliseconds. */
const work = 0.25
const pause = 0.2
const forgottenAfter = 50

const never = new Int32Array(new SharedArrayBuffer(4))
let since = 0

/**
 * A short pause now and then, while somebody waits. A lower priority alone does not do: once a thread has a processor it
 * keeps it for milliseconds, whoever else wants it. To be called often, in every long loop of work in the background.
 */
export function giveWay(): void {
  if (!isBackground || performance.now() - since < work) return
  if (Math.abs(clock() - (seen[0] as number)) < forgottenAfter) Atomics.wait(never, 0, 0, pause)
  since = performance.now()
}

/** The same bytes for all threads, whichever asks first before it starts others. */
function sharedBytes(name: string): SharedArrayBuffer {
  const known = getEnvironmentData(name)
  if (known instanceof SharedArrayBuffer) return known
  const made = new SharedArrayBuffer(4)
  setEnvironmentData(name, made)
  return made
}
