import type { Caller, Context } from '../../kernel/context.ts'
import { oidcIdentity } from '../../kernel/personal-data.ts'
import { findPresentToken } from '../tokens/service.ts'
import { isOfIssuer } from './authenticate.ts'

/** Replaces people after their erasure. */
const erased = oidcIdentity('erased_')

/**
 * The caller with the rights that their token, or another token or session of the same person, has now. Null if there is none.
 * People who sign in at an identity provider keep their last role while they are signed out, because only a session knows it.
 */
export async function findRights(ctx: Context, who: Caller): Promise<Caller | null> {
  if (!isOfIssuer(who)) {
    const token = await findPresentToken(ctx, who)
    return token ? { ...who, role: token.role, groups: JSON.parse(token.groups) as string[] } : null
  }
  if (ctx.config.oidc === null || who.token.startsWith(erased)) return null
  const session = await ctx.db
    .selectFrom('session')
    .select('claims')
    .where('workspace_id', '=', who.workspace)
    .where('subject', '=', who.token)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { role, groups } = JSON.parse(session?.claims ?? '{}') as Partial<Pick<Caller, 'role' | 'groups'>>
  return { ...who, ...(role && { role }), ...(groups && { groups }) }
}
