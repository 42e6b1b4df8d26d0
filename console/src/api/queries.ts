import { isParleyError } from '@parley/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { signOut } from '../app/session.ts'

function signOutOnInvalidToken(error: unknown): void {
  if (isParleyError(error, 'invalid_token', 'unauthenticated')) {
    signOut('Your token was revoked or has expired. Sign in again.')
    queries.clear()
  }
}

/** Responses stay fresh for a while: the rate limit is 100 requests per minute. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: signOutOnInvalidToken }),
  mutationCache: new MutationCache({ onError: signOutOnInvalidToken }),
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
