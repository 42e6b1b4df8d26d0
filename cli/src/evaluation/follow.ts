import { setTimeout as delay } from 'node:timers/promises'
import type { Parley, Schemas } from '../client.ts'
import type { Io } from '../io.ts'
import type { Progress } from '../progress.ts'

type Run = Schemas['EvaluationRun']

const minPoll = 200
const maxPoll = 2000

const isActive = ({ status }: Run): boolean => status === 'queued' || status === 'running'

/** Follows a run to its end. Ctrl-C cancels it. */
export async function followRun({ evaluations }: Parley, io: Io, started: Run, progress: Progress): Promise<Run> {
  const { evaluation_id: evaluation, id } = started
  const stopListening = io.onInterrupt(() => {
    progress.line('Cancelling the run …')
    evaluations.cancelRun(evaluation, id).catch(() => {}) // it may have ended on its own
  })
  try {
    let run = started
    // The default rate limit of a token is 100 requests a minute.
    for (let wait = minPoll; isActive(run); wait = Math.min(maxPoll, wait * 1.5)) {
      progress.show('Running', run.progress.done, run.progress.total)
      await delay(wait)
      run = await evaluations.getRun(evaluation, id)
    }
    return run
  } finally {
    stopListening()
    progress.end()
  }
}

interface Results {
  summary: Schemas['EvaluationSummary']
  comparison: Schemas['EvaluationComparison'] | undefined
  results: Schemas['EvaluationResult'][]
}

/** Reads all pages of the results of a run. */
export async function readResults({ evaluations }: Parley, run: Run, compareTo: string | null): Promise<Results> {
  const query = { run_id: run.id, limit: 100, ...(compareTo !== null && { compare_to: compareTo }) }
  const results: Schemas['EvaluationResult'][] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await evaluations.resultPage(run.evaluation_id, { ...query, page })
    results.push(...data.results)
    if (page >= pagination.pages) return { summary: data.summary, comparison: data.comparison, results }
  }
}
