import type { Context } from '../../kernel/context.ts'
import { sealedColumn } from '../../kernel/secrets/sealed.ts'

/** The tokens of the provider that a session keeps: to refresh it, and to sign out there. */
interface ProviderTokens {
  refreshToken: string | null
  idToken: string | null
}

const sealContext = (id: unknown): string => `session ${id} provider_tokens`

export const sealedProviderTokens = sealedColumn('session', 'provider_tokens', ({ id }) => sealContext(id))

export function sealProviderTokens({ secrets, config }: Context, id: string, tokens: ProviderTokens): string {
  const { refreshToken, idToken } = tokens
  return secrets.seal(JSON.stringify({ issuer: config.oidc?.issuer, refreshToken, idToken }), sealContext(id))
}

/** Null if they belong to a provider that is no longer configured, because no other provider may see them. */
export function openProviderTokens(
  { secrets, config }: Context,
  { id, provider_tokens }: { id: string; provider_tokens: string | null },
): ProviderTokens | null {
  if (provider_tokens === null) return null
  const { issuer, ...tokens } = JSON.parse(secrets.open(provider_tokens, sealContext(id)))
  return issuer === config.oidc?.issuer ? tokens : null
}
