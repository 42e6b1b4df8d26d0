import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { oidcIdentity } from '../../kernel/personal-data.ts'
import { timestamp } from '../../kernel/time.ts'
import { findPresentToken } from '../tokens/service.ts'
import { isOfIssuer } from './authenticate.ts'
import { findKnownRights } from './known-rights.ts'
import { refreshed } from './refresh.ts'

/** Replaces people after their erasure. */
const erased = oidcIdentity('erased_')

/**
 * The caller with the rights that their token, or another token or session of the same person, has now. Null if there is none.
 * People who sign in at an identity provider keep their last role while they are signed out, until it says that they have none.
 */
export async function findRights(ctx: Context, who: Caller): Promise<Caller | null> {
  if (!isOfIssuer(who)) {
    const token = await findPresentToken(ctx, who)
    return token ? { ...who, role: token.role, groups: JSON.parse(token.groups) as string[] } : null
  }
  if (ctx.config.oidc === null || who.token.startsWith(erased)) return null
  const known = await findKnownRights(ctx.db, who.workspace, who.token)
  if (known?.claims === null) return null
  const { role, groups } = JSON.parse(known?.claims ?? '{}') as Partial<Pick<Caller, 'role' | 'groups'>>
  return { ...who, ...(role && { role }), ...(groups && { groups }) }
}

/**
 * Asks the identity provider for the rights of a person whose newest session is due for it. Work without a request, such as
 * that of a schedule, would else never learn of a change. While the provider is unreachable, the last known rights apply.
 */
export async function renewRights(ctx: Context, workspace: string, subject: string): Promise<void> {
  const session = await ctx.db
    .selectFrom('session')
    .select(['id', 'workspace_id', 'claims', 'subject', 'provider_tokens', 'refresh_at', 'refresh_lease'])
    .where('workspace_id', '=', workspace)
    .where('subject', '=', subject)
    .where('refresh_at', '<=', timestamp(ctx.now()))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (session)
    await refreshed(ctx, session).catch((error) => {
      if (!(error instanceof Problem)) throw error
    })
}
