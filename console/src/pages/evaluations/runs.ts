import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import type { Run } from './draft.ts'

const pollEvery = 2500
const listEvery = 10_000
const mostRuns = 50
const resultsOnAPage = 25

export const isGoing = (run: Run | undefined): boolean => run?.status === 'queued' || run?.status === 'running'

/** The newest runs of an evaluation. */
export const useRuns = (id: string) =>
  useQuery({
    queryKey: ['runs', id, 'list'],
    queryFn: async ({ signal }) => (await parley.evaluations.runs(id, { limit: mostRuns }, { signal })).data,
    refetchInterval: ({ state }) => (isGoing(state.data?.[0]) ? listEvery : false),
  })

export interface Asked {
  run: string | undefined
  compareTo: string | undefined
  outcome: 'passed' | 'failed' | 'error' | undefined
  page: number
}

/** A page of the results of a run. As long as the run goes on it is asked for again, slowly. */
export function useResults(id: string, { run, compareTo, outcome, page }: Asked) {
  const results = useQuery({
    queryKey: ['runs', id, 'results', run, compareTo, outcome, page],
    queryFn: ({ signal }) =>
      parley.evaluations.resultPage(
        id,
        { run_id: run, compare_to: compareTo, outcome, page, limit: resultsOnAPage },
        { signal },
      ),
    enabled: run !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isGoing(state.data?.data.run) ? pollEvery : false),
  })
  const status = results.data?.data.run.status
  useEffect(() => {
    // The list tells what became of each run, so it changes with it.
    if (status) void queries.invalidateQueries({ queryKey: ['runs', id, 'list'] })
  }, [status, id])
  return results
}

/** One result by the place of its case; nothing where the run never came to it. */
export const useResultOf = (id: string, run: string, place: number) =>
  useQuery({
    queryKey: ['runs', id, 'result', run, place],
    queryFn: async ({ signal }) => {
      const { results } = await parley.evaluations.results(id, { run_id: run, page: place + 1, limit: 1 }, { signal })
      return results.find((result) => result.case === place) ?? null
    },
  })
