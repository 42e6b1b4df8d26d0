import type { Caller } from '../../kernel/context.ts'
import type { Narrow } from '../../kernel/store/table.ts'

export const isAdministrator = ({ role, seenAs }: Caller): boolean =>
  seenAs === undefined && (role === 'admin' || role === 'owner')

const isEditor = ({ role, seenAs }: Caller): boolean => seenAs === undefined && role === 'editor'

const ownId = (who: Caller): string => (who.seenAs ?? who).userId ?? ''

/** Administrators see what is known of everybody, editors also facts about nobody, others what is known of them. */
export const seesFact = (who: Caller, { user_id }: { user_id: string | null }): boolean =>
  isAdministrator(who) || (user_id === null ? isEditor(who) : user_id === ownId(who))

/**
 * Whether the facts of a person are recalled for what a caller writes in a conversation of this person. A program, which has
 * neither a user nor a session, writes for the person; somebody else could have the agent tell what they may not read.
 */
export const recallsFor = (who: Caller, userId: string): boolean =>
  seesFact(who, { user_id: userId }) || (who.userId === null && who.session === undefined)

/** Leaves the facts in a list that `seesFact` lets a caller see. */
export const narrow = (who: Caller): Narrow | undefined => {
  if (isAdministrator(who)) return undefined
  if (!isEditor(who)) return (rows) => rows.where('user_id', '=', ownId(who))
  return (rows) => rows.where((is) => is.or([is('user_id', '=', ownId(who)), is('user_id', 'is', null)]))
}
