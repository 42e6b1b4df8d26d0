import { Type } from 'typebox'

export const maxGroups = 1000
export const maxGroupLength = 200
const GroupName = Type.String({ minLength: 1, maxLength: maxGroupLength })

export const Groups = Type.Array(GroupName, {
  maxItems: maxGroups,
  default: [],
  description: 'The groups of its user. They decide what the roles `viewer` and `user` may see.',
  examples: [['finance']],
})

export const sortedGroups = (groups: readonly string[]): string[] => [...new Set(groups)].sort()
