/** The most CPU time in milliseconds that the main thread spent without a break while the work ran. Load of the machine does not count. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let running = true
  const used = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let before = used()
  const look = (): void => {
    longest = Math.max(longest, used() - before)
    before = used()
    if (running) setTimeout(look, 1)
  }
  setTimeout(look, 1)
  try {
    await work()
  } finally {
    running = false
  }
  return longest
}
