import { Problem } from '../errors.ts'
import { ProviderError } from './model.ts'

/** What a provider did wrong, as the caller of a route is told; anything else stays what it is. */
export const providerProblem = (error: unknown): unknown =>
  error instanceof ProviderError
    ? new Problem(error.kind === 'timeout' ? 'provider_timeout' : 'provider_error', error.message)
    : error
