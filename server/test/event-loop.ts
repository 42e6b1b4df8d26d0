interface Spread {
  /** The longest block of the main thread. */
  longestBlock: number
  /** The total of the other threads. */
  otherThreads: number
}

/**
 * How the CPU time of some work is spread over threads, in milliseconds. Work that does not block takes a small part of what
 * other threads spend; on the main thread it would be one block, and they would spend nothing. Waiting for a processor
 * does not count and both depend on its speed alike, so that a comparison does not fail by chance.
 */
export async function cpuSpread(work: () => Promise<unknown>): Promise<Spread> {
  let longestBlock = 0
  let running = true
  const before = { process: cpuMs(process.cpuUsage()), thread: cpuMs(process.threadCpuUsage()) }
  let last = before.thread
  const look = (): void => {
    const now = cpuMs(process.threadCpuUsage())
    longestBlock = Math.max(longestBlock, now - last)
    last = now
    if (running) setTimeout(look, 1)
  }
  setTimeout(look, 1)
  try {
    await work()
  } finally {
    running = false
    look()
  }
  const otherThreads = cpuMs(process.cpuUsage()) - before.process - (last - before.thread)
  return { longestBlock, otherThreads }
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
