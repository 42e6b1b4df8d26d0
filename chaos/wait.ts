export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until the condition holds, at most `seconds`. Errors count as not yet. */
export async function within(seconds: number, condition: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    if (await condition().catch(() => false)) return true
    if (Date.now() > end) return false
    await pause(250)
  }
}
