import { useQuery } from '@tanstack/react-query'
import { parley } from '../../api/parley.ts'

const oneMinute = 60_000

export const useEvaluations = () =>
  useQuery({
    queryKey: ['evaluations', 'all'],
    queryFn: ({ signal }) => parley.evaluations.list({ limit: 100, sort: 'name', order: 'asc' }, { signal }).all(500),
    staleTime: oneMinute,
  })

/** API tools with their approvers. */
export const useApiTools = () =>
  useQuery({
    queryKey: ['api-tools', 'all'],
    queryFn: ({ signal }) => parley.apiTools.list({ limit: 100 }, { signal }).all(500),
    staleTime: oneMinute,
  })
