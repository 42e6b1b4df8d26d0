import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { hour, minute, second } from '../../kernel/time.ts'
import { refetched } from './refetched.ts'

/** The metadata document of the issuer (OpenID Connect Discovery). */
interface IssuerMetadata {
  issuer: string
  jwks_uri: string
  [name: string]: unknown
}

export interface Issuer {
  metadata(): Promise<IssuerMetadata>
  /** The claims of a JWT of this issuer for one of these audiences; null if it is not valid. */
  verify(token: string, audiences: string[]): Promise<JWTPayload | null>
}

/** How far the clocks of the issuer and of this service may differ, in seconds. */
export const clockTolerance = 30
const timeout = 8 * second
/** Keys are cached for this long, so a key that the issuer removed is accepted until then. */
const keysMaxAge = 5 * minute

/** The configured issuer. Its keys may change at any time: an unknown key is looked up again. */
export function issuerAt(ctx: Context, address: string): Issuer {
  const ages = { maxStaleAge: hour, cooldown: 5 * second }
  const metadata = refetched(ctx.now, { ...ages, maxAge: hour }, () => discover(address))
  const keys = refetched(ctx.now, { ...ages, maxAge: keysMaxAge }, async () =>
    keySet(await fetchJson((await metadata.get()).jwks_uri)),
  )

  const keyFor: JWTVerifyGetKey = async (header, token) => {
    try {
      return await (await keys.get())(header, token)
    } catch (error) {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await keys.refetch() : null
      if (newer === null) throw error
      return newer(header, token)
    }
  }

  /** The library compares `iat` only with a maximum age. It has checked that it is a number. */
  const isFromTheFuture = ({ iat = 0 }: JWTPayload): boolean => iat > ctx.now() / second + clockTolerance

  return {
    async metadata() {
      try {
        return await metadata.get()
      } catch (error) {
        throw unreachable(error)
      }
    },
    async verify(token, audiences) {
      try {
        const { payload } = await jwtVerify(token, keyFor, {
          issuer: (await metadata.get()).issuer,
          audience: audiences,
          requiredClaims: ['exp', 'sub'],
          algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
          clockTolerance,
          currentDate: new Date(ctx.now()),
        })
        return isFromTheFuture(payload) ? null : payload
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw unreachable(error)
      }
    },
  }
}

async function discover(issuer: string): Promise<IssuerMetadata> {
  const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`
  const metadata = (await fetchJson(address)) as IssuerMetadata
  if (typeof metadata?.issuer !== 'string' || withoutSlash(metadata.issuer) !== withoutSlash(issuer))
    throw new Error(`${address} does not describe the issuer ${issuer}`)
  if (typeof metadata.jwks_uri !== 'string') throw new Error(`${address} has no jwks_uri`)
  return metadata
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '')

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeout) })
  if (!response.ok) throw new Error(`${address} responded with ${response.status}`)
  return response.json()
}

function keySet(document: unknown): JWTVerifyGetKey {
  try {
    return createLocalJWKSet(document as JSONWebKeySet)
  } catch (error) {
    throw new Error(`The keys of the identity provider are not valid: ${reason(error)}`)
  }
}

export const unreachable = (error: unknown) =>
  new Problem('overloaded', `The identity provider is unreachable (${reason(error)}). Try again shortly.`, {
    headers: { 'retry-after': '5' },
  })
