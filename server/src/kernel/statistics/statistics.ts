import { answeringThread } from '@parley/threads'
import { minute } from '../time.ts'
import type { DateRange } from './dataset.ts'
import type { Location } from './worker.ts'

/** Statistics over many rows, computed in a separate thread from cached columns. */
export interface Statistics {
  query<Result>(dataset: URL, workspace: string, range: Partial<DateRange>, question: unknown): Promise<Result>
  close(): Promise<void>
}

const allDays: DateRange = { from: '0000-01-01', to: '9999-12-31' }

/** The thread ends when it has been idle for a while, to free its memory. */
export function openStatistics(location: Location): Statistics {
  const thread = answeringThread(new URL('./worker.ts', import.meta.url), {
    workerData: location,
    whenGone: 'The statistics thread has ended.',
    idleFor: 2 * minute,
  })
  return {
    query: (dataset, workspace, range, question) =>
      thread.ask({ dataset: dataset.href, query: { workspace, ...allDays, ...range, question } }),
    close: () => thread.end(),
  }
}
