import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets every other thread of the machine go first, for the one that calls it and those that it starts: who waits for an
 * answer should not notice what is done in the background. Linux alone knows priorities of threads.
 */
export function yieldToOthers(): void {
  try {
    const [thread] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // then it shares with everybody
  }
}
