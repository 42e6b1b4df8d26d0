import { randomBytes } from 'node:crypto'
import { sortedGroups } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { forbidden, invalid, Problem } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import { collection } from '../../kernel/store/collection.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { day, timestamp } from '../../kernel/time.ts'
import { sessions } from '../sessions/service.ts'
import { maySetRole, tokens } from '../tokens/service.ts'
import { enqueueMail, sealMail } from './mail.ts'
import { type AcceptInvitation, Invitation } from './schema.ts'

const validFor = 7 * day
const maxValidFor = 90 * day

const rows = collection<typeof Invitation, { hash: string; mail_sealed: string | null }>({
  name: 'invitation',
  shape: Invitation,
  prefix: 'inv',
  kind: 'invitation',
  complete({ ctx, who, next }) {
    if (!maySetRole(who.role, next.role)) forbidden(`The role "${who.role}" may not invite to the role "${next.role}".`)
    next.groups = sortedGroups(next.groups)
    next.email = next.email?.toLowerCase() ?? null
    if (next.email !== null && next.user_id !== null) invalid('user_id', 'cannot be combined with email')
    if (next.user_id !== null && next.user_id.trim() === '') invalid('user_id', 'must not be empty')
    const expires = next.expires_at === undefined ? ctx.now() + validFor : Date.parse(next.expires_at)
    if (expires <= ctx.now()) invalid('expires_at', 'must be in the future')
    if (expires > ctx.now() + maxValidFor) invalid('expires_at', `must be within ${maxValidFor / day} days`)
    next.expires_at = timestamp(expires)
  },
})

/**
 * Creates an invitation. Its code is only in this response; the database stores the hash. If there is a mail server, a job
 * sends the link, and the code is kept encrypted until then.
 */
const create = (ctx: Context, who: Caller, body: { email?: string | null }) =>
  inTransaction(ctx.db, async (tx) => {
    const code = randomBytes(32).toString('base64url')
    const hash = hashSecret(code)
    const sends = ctx.config.mail !== null && (body.email ?? null) !== null
    const row = await rows.create(
      ctx,
      who,
      {
        ...body,
        hash,
        accepted_at: null,
        email_status: sends ? 'pending' : null,
        email_error: null,
        mail_sealed: sends ? sealMail(ctx, { ...who, hash }, { code, from: who.name ?? null }) : null,
      },
      tx,
    )
    if (sends) await enqueueMail(ctx, tx, who.workspace, row.id)
    return { ...row, code }
  })

/** Creates a token for the person, whose secret nobody knows, and starts a session with it. A code works once. */
async function accept(
  ctx: Context,
  { code, name }: AcceptInvitation,
  { requestId, ...session }: { requestId: string; replaces: string | null },
) {
  const now = timestamp(ctx.now())
  const started = await inTransaction(ctx.db, async (tx) => {
    const invitation = await tx
      .updateTable('invitation')
      .set((is) => ({ accepted_at: now, updated_at: now, revision: is('revision', '+', 1) }))
      .where('hash', '=', hashSecret(code))
      .where('accepted_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['id', 'workspace_id', 'role', 'groups', 'email', 'user_id'])
      .executeTakeFirst()
    if (!invitation) throw gone()
    const { id, workspace_id: workspace, role, email } = invitation
    const groups = JSON.parse(invitation.groups) as string[]
    const known = invitation.user_id
    if (known === null && name === undefined) invalid('name', 'is required')
    const userId = known ?? email ?? newUserId(name ?? '')
    await tx.updateTable('invitation').set({ user_id: userId }).where('id', '=', id).execute()
    const shown = name ?? null
    const person: Caller = { workspace, role, userId, groups, rateLimit: null, name: shown, token: id }
    await ctx.audit.record(tx, { ...person, requestId }, { action: 'accept', kind: 'invitation', id })
    const rights = { name: shown ?? userId, role, user_id: userId, groups, rate_limit: null, expires_at: null }
    const caller: Caller = { ...person, token: (await tokens.create(ctx, person, rights, tx)).id }
    return { caller, ...(await sessions.startForToken(ctx, caller, session, tx)) }
  })
  ctx.people.joined(started.caller)
  await ctx.people.flush()
  return started
}

const gone = () =>
  new Problem('not_found', 'This invitation is unknown, was used already or has expired. Ask for a new one.')

/** Never the ID of someone else: whoever has it sees their conversations. */
function newUserId(name: string): string {
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${readable || 'user'}-${randomBytes(4).toString('hex')}`
}

export const invitations = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  list: rows.list,
  get: rows.get,
  create,
  remove: rows.remove,
  accept,
}
