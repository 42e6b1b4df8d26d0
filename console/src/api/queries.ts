import { isParleyError } from '@parley/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { endSession } from './session.ts'

function endSessionOnError(error: unknown): void {
  if (!isParleyError(error, 'invalid_token', 'unauthenticated')) return
  const wasSignedIn = queries.getQueriesData({ queryKey: ['me'] }).some(([, me]) => me !== undefined)
  endSession(wasSignedIn ? 'Your session has ended. Sign in again.' : null)
  queries.clear()
}

/** Responses stay fresh for a while: the rate limit is 100 requests per minute. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: endSessionOnError }),
  mutationCache: new MutationCache({ onError: endSessionOnError }),
  defaultOptions: {
    queries: {
      staleTime: 20_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // The client already retries.
      retry: false,
      // ETags are keyed by the identity of the resource.
      structuralSharing: false,
    },
    mutations: { retry: false },
  },
})
