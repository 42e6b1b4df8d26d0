import { createThread } from '@parley/threads'
import { minute } from '../time.ts'
import type { DateRange } from './dataset.ts'
import type { Location, StatisticsMethods } from './worker.ts'

/** Statistics over many rows, computed in a separate thread from cached columns. */
export interface Statistics {
  query<Result>(dataset: URL, workspace: string, range: Partial<DateRange>, question: unknown): Promise<Result>
  /** Drops cached data of erased people. */
  removeErased(): Promise<void>
  close(): Promise<void>
}

const allDays: DateRange = { from: '0000-01-01', to: '9999-12-31' }

/** The thread ends when it has been idle for a while, to free its memory. */
export function openStatistics(location: Location): Statistics {
  const thread = createThread<StatisticsMethods>(new URL('./worker.ts', import.meta.url), {
    name: 'statistics',
    workerData: location,
    idleMs: 2 * minute,
  })
  return {
    query: async <Result>(dataset: URL, workspace: string, range: Partial<DateRange>, question: unknown) =>
      (await thread.call('query', [dataset.href, { workspace, ...allDays, ...range, question }])) as Result,
    removeErased: () => thread.call('removeErased', []),
    close: () => thread.close(),
  }
}
