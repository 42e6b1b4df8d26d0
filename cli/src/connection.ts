import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CliError, UsageError } from './failures.ts'
import type { Environment } from './io.ts'
import type { Options } from './options.ts'
import { type Profile, readProfiles } from './profiles.ts'

export const connectionOptions = {
  url: { type: 'string', value: 'url', description: 'The service; or PARLEY_URL' },
  token: { type: 'string', value: 'token', description: 'The token; better PARLEY_TOKEN, which "ps" does not show' },
  profile: { type: 'string', value: 'name', description: 'A saved profile (parley login); or PARLEY_PROFILE' },
  workspace: { type: 'string', value: 'id', description: 'For owner tokens: another workspace; or PARLEY_WORKSPACE' },
} as const satisfies Options

export interface Connection {
  url: string
  token: string | null
  workspace: string | null
  /** The flag, variable or profile that set the URL and the token, for messages. */
  origin: { url: string; token: string | null }
}

interface Flags {
  url?: string
  token?: string
  profile?: string
  workspace?: string
}

const defaultUrl = 'http://127.0.0.1:3000'

export const checkout = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Flags come before the environment, then a profile, then the service of this checkout. The token of a profile is sent only to
 * the address of that profile, the token of the checkout only to this machine.
 */
export function resolveConnection(flags: Flags, environment: Environment): Connection {
  const { name, profile } = chosenProfile(flags, environment)
  const isNamed = flags.profile !== undefined
  const profileOrigin = `profile "${name}"`
  const urls = [
    [flags.url, '--url'],
    [isNamed ? profile?.url : undefined, profileOrigin],
    [environment.PARLEY_URL, 'PARLEY_URL'],
    [profile?.url, profileOrigin],
    [defaultUrl, 'default'],
  ] as const
  const [chosenUrl = defaultUrl, urlOrigin] = urls.find(([value]) => value) ?? urls[4]
  const url = checkedUrl(chosenUrl, urlOrigin)
  const profileToken = profile && sameOrigin(profile.url, url) ? profile.token : null
  const tokens = [
    [flags.token, '--token'],
    [isNamed ? profileToken : null, profileOrigin],
    [environment.PARLEY_TOKEN, 'PARLEY_TOKEN'],
    [profileToken, profileOrigin],
    [isLoopback(url) ? ownerToken(environment) : null, 'the data folder'],
  ] as const
  const [token = null, tokenOrigin = null] = tokens.find(([value]) => value) ?? []
  const workspace = flags.workspace || environment.PARLEY_WORKSPACE || (profileToken && profile?.workspace) || null
  return { url, token: token ?? null, workspace, origin: { url: urlOrigin, token: tokenOrigin } }
}

function chosenProfile(flags: Flags, environment: Environment): { name: string | null; profile: Profile | null } {
  const asked = flags.profile ?? (environment.PARLEY_PROFILE || undefined)
  const isNeeded =
    asked !== undefined || !(flags.url ?? environment.PARLEY_URL) || !(flags.token ?? environment.PARLEY_TOKEN)
  if (!isNeeded) return { name: null, profile: null }
  const { current, profiles } = readProfiles(environment)
  const name = asked ?? current
  if (name === null) return { name: null, profile: null }
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile === undefined) {
    throw new CliError(`There is no profile "${name}".`, `Run: parley login --profile ${name}`)
  }
  return { name, profile }
}

export function checkedUrl(value: string, origin: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`The URL of the service (${origin}) must start with http:// or https://, but is "${value}".`)
  }
  if (url.username || url.password) throw new UsageError(`Leave user and password out of the URL (${origin}).`)
  return value
}

const sameOrigin = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin

const isLoopback = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)

/** The token that the first start of the service leaves in its data folder. */
function ownerToken(environment: Environment): string | null {
  try {
    return (
      readFileSync(join(environment.DATA_DIR?.trim() || join(checkout, 'data'), 'owner-token'), 'utf8').trim() || null
    )
  } catch {
    return null
  }
}
