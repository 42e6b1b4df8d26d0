import { second } from '../../../kernel/time.ts'
import { StoppableThread } from './thread.ts'

export interface Threads {
  /** For what a call waits for. */
  quick: StoppableThread
  /** For documents, which may take their time without holding up calls. */
  slow: StoppableThread
}

export const createThreads = (): Threads => ({
  quick: new StoppableThread({ milliseconds: 5 * second, megabytes: 256 }),
  slow: new StoppableThread({ milliseconds: 30 * second, megabytes: 1024 }),
})

export async function closeThreads({ quick, slow }: Threads): Promise<void> {
  await Promise.all([quick.close(), slow.close()])
}
