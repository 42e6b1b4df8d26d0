import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import type { Run } from './draft.ts'

const resultsPollInterval = 2500
const listPollInterval = 10_000
const maxRuns = 50
const resultsPageSize = 25

export const isActive = (run: Run | undefined): boolean => run?.status === 'queued' || run?.status === 'running'

/** The newest runs of an evaluation. */
export const useRuns = (id: string) =>
  useQuery({
    queryKey: ['runs', id, 'list'],
    queryFn: async ({ signal }) => (await parley.evaluations.runs(id, { limit: maxRuns }, { signal })).data,
    refetchInterval: ({ state }) => (isActive(state.data?.[0]) ? listPollInterval : false),
  })

export interface ResultQuery {
  run: string | undefined
  compareTo: string | undefined
  outcome: 'passed' | 'failed' | 'error' | undefined
  page: number
}

/** A page of the results of a run, polled while the run is active. */
export function useResults(id: string, { run, compareTo, outcome, page }: ResultQuery) {
  const results = useQuery({
    queryKey: ['runs', id, 'results', run, compareTo, outcome, page],
    queryFn: ({ signal }) =>
      parley.evaluations.resultPage(
        id,
        { run_id: run, compare_to: compareTo, outcome, page, limit: resultsPageSize },
        { signal },
      ),
    enabled: run !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isActive(state.data?.data.run) ? resultsPollInterval : false),
  })
  const status = results.data?.data.run.status
  useEffect(() => {
    // The list shows the status of each run.
    if (status) void queries.invalidateQueries({ queryKey: ['runs', id, 'list'] })
  }, [status, id])
  return results
}

/** The result of one case, or null if the run did not reach it. */
export const useCaseResult = (id: string, run: string, index: number) =>
  useQuery({
    queryKey: ['runs', id, 'result', run, index],
    queryFn: async ({ signal }) => {
      const { results } = await parley.evaluations.results(id, { run_id: run, page: index + 1, limit: 1 }, { signal })
      return results.find((result) => result.case === index) ?? null
    },
  })
