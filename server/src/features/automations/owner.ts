import type { Caller, Context, Role } from '../../kernel/context.ts'
import { upToDate } from '../sessions/authenticate.ts'

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

/** The person that a run acts as, with the groups that they have by now. */
export const currentActor = (ctx: Context, workspace: string, owner: Actor): Promise<Caller> =>
  upToDate(ctx, {
    workspace,
    role: owner.actor_role,
    token: owner.actor_token,
    userId: owner.actor_user,
    groups: [],
    rateLimit: null,
  })
