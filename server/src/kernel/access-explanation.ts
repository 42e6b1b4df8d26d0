import { type Static, Type } from 'typebox'
import { type Access, isBound, maySee, type Viewer } from './access.ts'
import type { Caller } from './caller.ts'
import { invalid } from './errors.ts'

/** The person that an explanation is about. */
export const PersonQuery = Type.Object(
  {
    user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The user that is asked about.' })),
    groups: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['array', 'string'],
        items: { type: 'string' },
        description: 'Names of groups: several parameters, or one with commas.',
        examples: ['hr,finance'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const Explanation = Type.Object(
  { allowed: Type.Boolean(), because: Type.String({ description: 'The rule that decides, in words for a person.' }) },
  {
    title: 'AccessExplanation',
    examples: [{ allowed: true, because: 'The group "hr" may see the document (rule 1 of the source: path "hr/**").' }],
  },
)
export type Explanation = Static<typeof Explanation>

/** The person named by a query, with the role `user`. */
export const toViewer = ({ user_id, groups = [] }: Static<typeof PersonQuery>): Viewer => ({
  role: 'user',
  userId: user_id ?? null,
  groups: [groups].flat().flatMap((each) =>
    each
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
})

/** Why a person may see something, or not. `origin` says where its access comes from. */
export function explain(person: Viewer, access: Access | null, what: string, origin = ''): Explanation {
  const from = origin && ` (${origin})`
  if (access === null) return { allowed: true, because: `Everyone may see ${what}.` }
  const group = access.groups.find((name) => person.groups.includes(name))
  if (group !== undefined) return { allowed: true, because: `The group "${group}" may see ${what}${from}.` }
  if (maySee(person, access)) return { allowed: true, because: `The user "${person.userId}" may see ${what}${from}.` }
  return { allowed: false, because: `${capital(what)} is only for ${allowedBy(access)}${from}.` }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function allowedBy({ groups, users }: Access): string {
  if (groups.length + users.length === 0) return 'editors and higher roles'
  const named = (noun: string, names: string[]) =>
    names.length === 0 ? [] : [`${names.length > 1 ? `${noun}s` : noun} ${names.map((name) => `"${name}"`).join(', ')}`]
  return `the ${[...named('group', groups), ...named('user', users)].join(' and the ')}`
}

/** The caller that looks at the workspace as someone else would see it: `X-Seen-As: user_id=anna; groups=hr,sales`. */
export function seenAs(who: Caller, header: string): Caller {
  const person: { userId: string | null; groups: string[] } = { userId: null, groups: [] }
  for (const part of header.split(';').filter((each) => each.trim() !== '')) {
    const [, name, value = ''] = /^\s*(user_id|groups)\s*=(.*)$/.exec(part) ?? []
    if (name === 'user_id') person.userId = decode(value) || null
    else if (name === 'groups') person.groups = value.split(',').map(decode).filter(Boolean)
    else invalid('X-Seen-As', `must be such as "user_id=anna; groups=hr,sales"; it has "${part.trim()}"`)
  }
  return { ...who, seenAs: person }
}

/** Names with other characters, such as commas, are percent-encoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return invalid('X-Seen-As', `has "${text.trim()}", which is not percent-encoded correctly`)
  }
}

/** Whether a caller may preview the workspace as someone else: not if access restricts the caller too. */
export const maySeeAs = (who: Caller): boolean => !isBound(who)

/** Whether a route only reads or searches, and so can be used as someone else. */
export const isReading = (method: string, url: string): boolean =>
  /^(get|head)$/i.test(method) || /\/(query|search)$/.test(url)
