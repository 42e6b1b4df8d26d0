import type { Caller, Context, Role } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { allows } from '../../kernel/http/permissions.ts'
import { findRights } from '../sessions/rights.ts'

/** The columns of whoever created a schedule or trigger. Its runs act as this person. */
export type Actor = {
  actor_role: Role
  actor_token: string
  actor_user: string | null
}

/** The fields that schedules and triggers share. */
export interface Owner extends Actor {
  id: string
  name: string
  enabled: boolean
}

export const toActor = ({ role, token, userId }: Caller): Actor => ({
  actor_role: role,
  actor_token: token,
  actor_user: userId,
})

/** The person that a run acts as, with the role and the groups that they have by now. Null if they are gone. */
export async function currentActor(ctx: Context, workspace: string, owner: Actor): Promise<Caller | null> {
  const rights = await findRights(ctx, {
    workspace,
    role: owner.actor_role,
    token: owner.actor_token,
    userId: owner.actor_user,
    groups: [],
    rateLimit: null,
  })
  if (rights && !allows('write-configuration', rights.role))
    throw new Problem(
      'forbidden',
      `Whoever created it has the role "${rights.role}" by now, which may not start runs. Save it to run it in your name.`,
    )
  return rights
}

export const creatorGone =
  'Whoever created it has no access to this workspace any more. Save it to run it in your name.'

/**
 * The actor after a change. A caller who changes the work becomes the actor, so that nobody can act as another person;
 * so does a caller who saves it after its creator is gone.
 */
export async function nextActor(ctx: Context, who: Caller, previous: Actor, isOtherWork: boolean): Promise<Actor> {
  const isGone = isOtherWork || (await currentActor(ctx, who.workspace, previous).catch(() => null)) === null
  const { actor_role, actor_token, actor_user } = previous
  return isGone ? toActor(who) : { actor_role, actor_token, actor_user }
}
