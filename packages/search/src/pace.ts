/** How many rows a statement reads or deletes at a time. */
export const rowsAtOnce = 500

/** Milliseconds of work after which whatever waits gets its turn. */
const turn = 4

export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Works through a list and lets whoever waits in between. */
export async function paced<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let started = performance.now()
  for (const item of items) {
    work(item)
    if (performance.now() - started < turn) continue
    await nextTurn()
    started = performance.now()
  }
  await nextTurn()
}
