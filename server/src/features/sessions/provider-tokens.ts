import type { Context } from '../../kernel/context.ts'
import { sealedColumn } from '../../kernel/secrets/sealed.ts'

/** The tokens of the provider that a session keeps: to refresh it, and to sign out there. */
interface ProviderTokens {
  refreshToken: string | null
  idToken: string | null
}

const contextOf = (id: unknown): string => `session ${id} provider_tokens`

export const sealedProviderTokens = sealedColumn('session', 'provider_tokens', ({ id }) => contextOf(id))

export const sealProviderTokens = (
  { secrets }: Context,
  id: string,
  { refreshToken, idToken }: ProviderTokens,
): string => secrets.seal(JSON.stringify({ refreshToken, idToken }), contextOf(id))

export function openProviderTokens(
  { secrets }: Context,
  { id, provider_tokens }: { id: string; provider_tokens: string | null },
): ProviderTokens | null {
  return provider_tokens === null ? null : JSON.parse(secrets.open(provider_tokens, contextOf(id)))
}
