import { isParleyError } from '@parley/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { signOut } from '../app/session.ts'

function leaveWhenRefused(error: unknown): void {
  if (isParleyError(error, 'invalid_token', 'unauthenticated')) {
    signOut('The token is unknown, revoked or expired. Sign in with another one.')
    queries.clear()
  }
}

/** What was read stays good for a while, so that moving about costs few of the 100 requests a minute. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenRefused }),
  mutationCache: new MutationCache({ onError: leaveWhenRefused }),
  defaultOptions: {
    queries: {
      staleTime: 20_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // The client tries again where that makes sense.
      retry: false,
      // Resources are known by identity: their ETags hang on it.
      structuralSharing: false,
    },
    mutations: { retry: false },
  },
})
