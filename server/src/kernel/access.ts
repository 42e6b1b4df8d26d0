import { Type } from 'typebox'

const maxNames = 1000
const GroupName = Type.String({ minLength: 1, maxLength: 200 })

export const Groups = Type.Array(GroupName, {
  maxItems: maxNames,
  default: [],
  description: 'The groups of its user. They decide what the roles `viewer` and `user` may see.',
  examples: [['finance']],
})

export const sortedGroups = (groups: readonly string[]): string[] => [...new Set(groups)].sort()
