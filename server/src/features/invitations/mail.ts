import type { Context } from '../../kernel/context.ts'
import { reason } from '../../kernel/errors.ts'
import type { RunningJob } from '../../kernel/jobs/definition.ts'
import { type MailSettings, sendMail, Undeliverable } from '../../kernel/mail.ts'
import { sealedColumn } from '../../kernel/secrets/sealed.ts'
import type { Db } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'

const queue = 'invitations.mail'
/** Half an hour and more: some servers refuse the first attempts of a sender that they do not know. */
const attempts = 12

const mailContext = (workspace: unknown, hash: unknown): string => `${workspace} invitation ${hash} mail`

/** The code of the link is encrypted until it is sent, and removed then. */
export const sealedMail = sealedColumn('invitation', 'mail_sealed', (row) => mailContext(row.workspace_id, row.hash))

interface Content {
  code: string
  /** The name of the person who invites. */
  from: string | null
}

export const sealMail = (ctx: Context, to: { workspace: string; hash: string }, content: Content): string =>
  ctx.secrets.seal(JSON.stringify(content), mailContext(to.workspace, to.hash))

const letter = ({ code, from }: Content, { publicUrl }: Context['config'], expiresAt: string): string =>
  [
    from === null ? 'You are invited to Parley.' : `${from} has invited you to Parley.`,
    `Open this link to join:\n${publicUrl}/invitation#code=${code}`,
    `It works once, until ${expiresAt.slice(0, 10)} ${expiresAt.slice(11, 16)} UTC.`,
    'If you did not expect this message, you can ignore it.\n',
  ].join('\n\n')

export const enqueueMail = (ctx: Context, tx: Db, workspace: string, id: string): Promise<string> =>
  ctx.jobs.enqueue(tx, queue, { workspace, payload: { id } })

export const defineMailJob = (ctx: Context): void => ctx.jobs.define({ queue, attempts, run: (job) => send(ctx, job) })

/** Sends the message of an invitation. After a crash it may be sent twice, with the same link. */
async function send(ctx: Context, { workspace, payload, attempt }: RunningJob): Promise<void> {
  const { id } = payload as { id: string }
  const pending = ctx.db
    .selectFrom('invitation')
    .select(['email', 'hash', 'mail_sealed', 'accepted_at', 'expires_at'])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('email_status', '=', 'pending')
  const row = await pending.executeTakeFirst()
  if (!row) return // withdrawn, or sent already
  try {
    const isOver = row.accepted_at !== null || row.expires_at <= timestamp(ctx.now())
    if (isOver) throw new Undeliverable('The invitation was accepted or had expired before it could be sent.')
    const content = JSON.parse(ctx.secrets.open(row.mail_sealed ?? '', mailContext(workspace, row.hash))) as Content
    const text = letter(content, ctx.config, row.expires_at)
    await sendMail(configured(ctx), { to: row.email ?? '', subject: 'Your invitation to Parley', text })
  } catch (error) {
    if (attempt < attempts && !(error instanceof Undeliverable)) throw error
    return store(ctx, workspace, id, { email_status: 'failed', email_error: reason(error) })
  }
  await store(ctx, workspace, id, { email_status: 'sent', email_error: null })
}

const configured = ({ config: { mail } }: Context): MailSettings => {
  if (mail === null) throw new Undeliverable('SMTP_URL is not set on the node that was to send the message.')
  return mail
}

type Result = { email_status: 'sent' | 'failed'; email_error: string | null }

async function store(ctx: Context, workspace: string | null, id: string, result: Result): Promise<void> {
  await ctx.db
    .updateTable('invitation')
    .set((is) => ({
      ...result,
      mail_sealed: null,
      updated_at: timestamp(ctx.now()),
      revision: is('revision', '+', 1),
    }))
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .execute()
}
