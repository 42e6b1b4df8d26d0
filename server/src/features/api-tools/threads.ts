import type { Context } from '../../kernel/context.ts'
import { second } from '../../kernel/time.ts'
import { StoppableThread } from './thread.ts'

interface Threads {
  /** For what a call waits for. */
  quick: StoppableThread
  /** For documents, which may take their time without holding up calls. */
  slow: StoppableThread
}

const known = new WeakMap<Context, Threads>()

export function threadsOf(ctx: Context): Threads {
  let threads = known.get(ctx)
  if (!threads) {
    threads = {
      quick: new StoppableThread({ milliseconds: 5 * second, megabytes: 256 }),
      slow: new StoppableThread({ milliseconds: 30 * second, megabytes: 1024 }),
    }
    known.set(ctx, threads)
  }
  return threads
}

export async function closeThreads(ctx: Context): Promise<void> {
  const threads = known.get(ctx)
  await Promise.all([threads?.quick.close(), threads?.slow.close()])
}
