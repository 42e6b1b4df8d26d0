import { isBound } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { findToken } from '../tokens/service.ts'

/**
 * The caller with the groups that its token or session has now. A turn can take minutes, and what was revoked meanwhile is
 * gone with its next search. The groups of a JWT that was sent with the request are in the JWT.
 */
export async function upToDate<Who extends Caller>(ctx: Context, who: Who): Promise<Who> {
  if (!isBound(who) || who.seenAs) return who
  const token = await ctx.cache.get(`groups ${who.token}`, async () => ({
    row: await findToken(ctx.db, who.workspace, who.token),
  }))
  if (token.row) {
    const isExpired = token.row.expires_at !== null && Date.parse(token.row.expires_at) <= ctx.now()
    return isExpired ? stranger(who) : { ...who, groups: JSON.parse(token.row.groups) as string[] }
  }
  if (!isOfIssuer(who)) return stranger(who)
  return who.session === undefined ? who : ofSession(ctx, who, who.session)
}

async function ofSession<Who extends Caller>(ctx: Context, who: Who, session: string): Promise<Who> {
  const row = await ctx.db
    .selectFrom('session')
    .select('claims')
    .where('workspace_id', '=', who.workspace)
    .where('id', '=', session)
    .executeTakeFirst()
  if (!row) return stranger(who)
  const { groups = [] } = JSON.parse(row.claims ?? '{}') as { groups?: string[] }
  return { ...who, groups }
}

const isOfIssuer = ({ token }: Caller): boolean => token.startsWith('oidc:')

/** Sees only what everyone may see. */
const stranger = <Who extends Caller>(who: Who): Who => ({ ...who, userId: null, groups: [] })
