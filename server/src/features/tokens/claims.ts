import type { JWTPayload } from 'jose'
import { maxGroupLength, maxGroups, sortedGroups } from '../../kernel/access.ts'
import { type Caller, type Context, type Role, roles } from '../../kernel/context.ts'
import { isObject } from '../../kernel/is-object.ts'
import type { Oidc } from '../../kernel/oidc-settings.ts'
import { findWorkspace } from '../../kernel/store/workspaces.ts'

/** The caller that claims describe, or why there is none. */
export type Identified = { caller: Caller } | { caller: null; lacks: 'role' | 'workspace' | 'user' }

/**
 * Reads the claims of a bearer JWT or of a person who signs in: `parley_workspace` or `workspace` (ID or name; by default
 * "default"), the role, the groups, and `sub`, the user. A role or workspace of another type is refused: ignoring it could
 * give another one than the issuer meant. Groups only add access, so values that are not names of groups are ignored.
 */
export async function identify(ctx: Context, oidc: Oidc, claims: JWTPayload): Promise<Identified> {
  const { sub } = claims
  if (!isUser(sub)) return { caller: null, lacks: 'user' }
  const role = toRole(roleClaim(oidc, claims), oidc.defaultRole)
  if (role === null) return { caller: null, lacks: 'role' }
  const { parley_workspace = claims.workspace } = claims
  const place = parley_workspace === undefined ? 'default' : parley_workspace
  const workspace = typeof place === 'string' && !place.includes('\0') ? await findWorkspace(ctx.db, place) : null
  if (workspace === null) return { caller: null, lacks: 'workspace' }
  const groups = toGroups(claimAt(claims, oidc.groupsClaim))
  return {
    caller: {
      workspace,
      role,
      token: `oidc:${sub}`,
      userId: sub,
      groups,
      rateLimit: null,
      name: displayName(claims) ?? sub,
    },
  }
}

function roleClaim({ roleClaim }: Oidc, claims: JWTPayload): unknown {
  if (roleClaim !== null) return claimAt(claims, roleClaim)
  const { parley_role = claims.role } = claims
  return parley_role
}

/** The highest role of a list, which may contain roles of other programs. */
function toRole(claim: unknown, defaultRole: Role | null): Role | null {
  if (claim === undefined) return defaultRole
  if (typeof claim === 'string') return roles.find((role) => role === claim) ?? null
  if (!Array.isArray(claim) || !claim.every((each) => typeof each === 'string')) return null
  return roles.findLast((role) => claim.includes(role)) ?? defaultRole
}

const toGroups = (claim: unknown): string[] => sortedGroups([claim].flat().filter(isGroup)).slice(0, maxGroups)

const isGroup = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && name.length <= maxGroupLength && !name.includes('\0')

/**
 * The claim of this name. A dot separates the names of nested claims, but may also be part of a name, as in
 * `https://acme.example/roles`: the longest name that exists counts.
 */
function claimAt(claims: unknown, name: string): unknown {
  if (!isObject(claims)) return undefined
  if (Object.hasOwn(claims, name)) return claims[name]
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const outer = name.slice(0, dot)
    if (Object.hasOwn(claims, outer)) return claimAt(claims[outer], name.slice(dot + 1))
  }
  return undefined
}

/** The name that people are shown for themselves. */
export function displayName({ name, preferred_username, email }: JWTPayload): string | null {
  const claim = [name, preferred_username, email].find((each) => typeof each === 'string' && each.trim() !== '')
  return claim === undefined ? null : (claim as string).replaceAll('\0', '').trim().slice(0, maxNameLength)
}

const maxNameLength = 200

/** The same limits as for `user_id` in a request, because `sub` becomes the user of conversations. */
const isUser = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && sub.length <= 200 && !sub.includes('\0')
