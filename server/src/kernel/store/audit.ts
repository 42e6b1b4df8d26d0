import type { Caller, Context } from '../context.ts'
import { timestamp } from '../time.ts'
import type { UnsealedEntry } from './audit-key.ts'
import type { AuditRow } from './audit-table.ts'
import type { Statement } from './commits.ts'
import type { Db } from './database.ts'
import { prepared } from './statement.ts'

export interface AuditedChange {
  action: string
  kind: string
  id: string | null
  /** The part of the resource that changed, such as a message of a conversation. */
  part?: string | null
  fields?: string[]
}

/** Returns null for internal changes: only changes by requests are audited. */
function entryOf(
  ctx: Context,
  who: Caller,
  { action, kind, id, part = null, fields = [] }: AuditedChange,
): AuditRow | null {
  if (who.requestId === undefined) return null
  who.audited = true
  const entry: UnsealedEntry = {
    id: ctx.newId('aud'),
    workspace_id: who.workspace,
    // The database replaces lone surrogates. An entry that differs from the signed one would count as forged.
    token_id: who.token.toWellFormed(),
    token_name: who.name?.toWellFormed() ?? null,
    role: who.role,
    user_id: who.userId?.toWellFormed() ?? null,
    action,
    kind,
    resource_id: id,
    part_id: part,
    fields: JSON.stringify(fields),
    request_id: who.requestId,
    created_at: timestamp(ctx.now()),
  }
  return { ...entry, sequence: null, hash: ctx.audit.sign(entry) }
}

/** Adds an audit entry in the transaction that makes the change. */
export async function recordChange(ctx: Context, tx: Db, who: Caller, change: AuditedChange): Promise<void> {
  const entry = entryOf(ctx, who, change)
  if (entry) await tx.insertInto('audit_entry').values(entry).execute()
}

const insertEntry = prepared((db, entry: AuditRow) => db.insertInto('audit_entry').values(entry))

export function auditStatements(ctx: Context, who: Caller, change: AuditedChange): Statement[] {
  const entry = entryOf(ctx, who, change)
  return entry ? [insertEntry(ctx.db, entry)] : []
}

/** The caller for a part of a change that is audited as a whole. */
export function withoutAudit({ requestId, ...who }: Caller): Caller {
  return who
}

/**
 * Replaces a person in all entries of a workspace by a pseudonym, which is a keyed hash: it shows that the same person did
 * it, but not who. The chain stays valid, because it contains only pseudonyms. Returns the number of changed entries.
 */
export async function eraseActor(ctx: Context, tx: Db, workspace: string, userId: string): Promise<number> {
  const { chain } = ctx.audit
  await chain.sealIn(tx, workspace)
  const pseudonym = (name: string) => chain.key.pseudonym(workspace, name)
  const mine = tx.updateTable('audit_entry').where('workspace_id', '=', workspace)
  const names = await tx
    .selectFrom('audit_entry')
    .select(['token_id', 'token_name'])
    .distinct()
    .where('workspace_id', '=', workspace)
    .where('user_id', '=', userId)
    .execute()
  let changed = 0n
  for (const { token_id, token_name } of names) {
    const erased = {
      token_id: pseudonym(token_id),
      token_name: token_name && pseudonym(token_name),
      user_id: pseudonym(userId),
    }
    const result = await mine
      .set(erased)
      .where('user_id', '=', userId)
      .where('token_id', '=', token_id)
      .where('token_name', token_name === null ? 'is' : '=', token_name)
      .executeTakeFirst()
    changed += result.numUpdatedRows
  }
  for (const column of ['resource_id', 'part_id'] as const) {
    const result = await mine
      .set({ [column]: pseudonym(userId) })
      .where(column, '=', userId)
      .executeTakeFirst()
    changed += result.numUpdatedRows
  }
  return Number(changed)
}
