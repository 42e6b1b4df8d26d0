import type { JWTPayload } from 'jose'
import { reason } from '../../kernel/errors.ts'

/** Values that bind the response of the identity provider to the browser that started to sign in. */
export interface LoginChecks {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** The claims and tokens that the identity provider issued for a person. */
export interface Grant {
  claims: JWTPayload
  idToken: string | null
  refreshToken: string | null
  /** When the tokens must be refreshed, in milliseconds. */
  refreshAt: number
  /** When the ID token expires, in milliseconds. */
  endsAt: number
}

/** The provider answered, but refused to sign the person in. */
export class NotSignedIn extends Error {
  /** The error code of OAuth, if it gave one. */
  readonly code: string | null

  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
  }
}

export interface Provider {
  /** Where the browser goes to sign in. */
  login(redirectUri: string, options: { otherAccount: boolean }): Promise<{ url: string; checks: LoginChecks }>
  /** Exchanges the code in the query of the callback. */
  exchange(query: URLSearchParams, checks: LoginChecks): Promise<Grant>
  /** `keep` stores a refresh token that replaces this one, before anything else can fail. */
  refresh(refreshToken: string, user: string, keep: (next: string) => Promise<void>): Promise<Grant>
  /** Where the browser goes to sign out there, too; null if the provider has no such page. */
  endSessionUrl(idToken: string | null, returnTo: string): Promise<string | null>
}

/** Describes the error for the log, with the details of OAuth errors. */
export function explained(thrown: unknown): string {
  const { error, error_description, cause } = thrown as { error?: string; error_description?: string; cause?: unknown }
  const parts = [reason(thrown), error, error_description, cause instanceof Error ? cause.message : undefined]
  return parts.filter((part) => part !== undefined).join(': ')
}
