import { type Static, Type } from 'typebox'
import type { Caller, Role } from './caller.ts'

export const maxGroups = 1000
export const maxGroupLength = 200
const GroupName = Type.String({ minLength: 1, maxLength: maxGroupLength })

export const Groups = Type.Array(GroupName, {
  maxItems: maxGroups,
  default: [],
  description: 'The groups of its user. They decide what the roles `viewer` and `user` may see.',
  examples: [['finance']],
})

/** Restricts a resource to groups and users. */
export const Access = Type.Object(
  {
    groups: Type.Optional(Type.Array(GroupName, { maxItems: maxGroups, default: [], description: 'Names of groups.' })),
    users: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: maxGroups,
        default: [],
        description: 'Values of `user_id`.',
      }),
    ),
  },
  {
    title: 'Access',
    description: 'The groups and users who may see it.',
    additionalProperties: false,
    examples: [{ groups: ['finance'], users: [] }],
  },
)
export type Access = Required<Static<typeof Access>>

/** The field `access` of a resource. */
export const AccessField = (what: string) =>
  Type.Unsafe<Access | null>({
    ...Access,
    type: ['object', 'null'],
    description: `People with the role \`viewer\` or \`user\` may see ${what} only if they are in one of these groups or are one of these users. Null: everyone may. Higher roles are not bound by it.`,
  })

export const sortedGroups = (groups: readonly string[]): string[] => [...new Set(groups)].sort()

/** Sorts the names, so that equal values are stored as equal text. */
export const normalized = (access: Static<typeof Access> | null): Access | null =>
  access && { groups: sortedGroups(access.groups ?? []), users: sortedGroups(access.users ?? []) }

/** The part of a caller that decides about access. */
export type Viewer = Pick<Caller, 'role' | 'userId' | 'groups' | 'seenAs'>

const boundRoles: readonly Role[] = ['viewer', 'user']

/** Whether `access` restricts the caller. */
export const isBound = ({ role, seenAs }: Viewer): boolean => seenAs !== undefined || boundRoles.includes(role)

/** The access rule. All reads, lists and searches apply it. */
export function maySee(who: Viewer, access: Access | null): boolean {
  if (access === null || !isBound(who)) return true
  const { userId, groups } = who.seenAs ?? who
  return access.groups.some((group) => groups.includes(group)) || (userId !== null && access.users.includes(userId))
}

/** Removes the lists of people who may see a row, for callers who are restricted themselves. */
export function withoutAccess<R extends { access?: unknown; access_rules?: unknown }>(
  row: R,
  who: Viewer,
): R | Omit<R, 'access' | 'access_rules'> {
  if (!isBound(who)) return row
  const { access, access_rules, ...visible } = row
  return visible
}
