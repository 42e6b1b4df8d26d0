import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Lowers the priority of the calling thread, so that background work does not delay requests. Works on Linux only. */
export function lowerPriority(): void {
  try {
    const [thread] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // other systems have no priority per thread
  }
}
