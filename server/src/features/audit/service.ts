import type { Static } from 'typebox'
import type { Caller, Context } from '../../kernel/context.ts'
import { dayRange } from '../../kernel/dates.ts'
import { Conflict } from '../../kernel/store/commits.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import { findNames } from '../../kernel/store/references.ts'
import { statement } from '../../kernel/store/statement.ts'
import { resourceTable } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { findChain } from './chain.ts'
import { AuditEntry, computed } from './schema.ts'

const entries = resourceTable({
  name: 'audit_entry',
  shape: AuditEntry,
  computed,
  filters: {
    start_date: (rows, day) => rows.where('created_at', '>=', `${day}T00:00:00Z`),
    end_date: (rows, day) => rows.where('created_at', '<=', `${day}T23:59:59Z`),
  },
})

export async function list(ctx: Context, who: Caller, query: ListQuery) {
  const { start_date, end_date, ...where } = query.where
  const { start, end } = dayRange({ start_date, end_date } as Record<string, string | undefined>)
  const days = { ...(start !== undefined && { start_date: start }), ...(end !== undefined && { end_date: end }) }
  // Counted in a thread: there can be a million entries.
  const { rows, total } = await entries.list(ctx.longReads, who.workspace, {
    ...query,
    where: { ...where, ...days },
  })
  const ids = rows.flatMap(({ resource_id: id }) => id ?? [])
  const names = await findNames(ctx.resources, ctx.db, who.workspace, ids)
  return { rows: rows.map((row) => present(row, names)), total }
}

/** An entry never changes, and until it is sealed it has no hash. */
const present = (row: Static<typeof AuditEntry>, names: ReadonlyMap<string, string>) => ({
  ...row,
  resource_name: names.get(row.resource_id ?? '') ?? null,
  hash: row.sequence === null ? null : row.hash,
  updated_at: row.created_at,
})

const batchSize = 1000

const maxConflicts = 10

/** Removes the oldest entries of each chain and keeps the hash of the last one, so that the others can still be verified. */
export async function removeEntries(ctx: Context, before: number): Promise<number> {
  await ctx.audit.chain.sealAll()
  const chains = await ctx.db.selectFrom('audit_chain').select('workspace_id').execute()
  let removed = 0
  for (const { workspace_id } of chains) removed += await removeFrom(ctx, workspace_id, timestamp(before))
  return removed
}

async function removeFrom(ctx: Context, workspace: string, before: string): Promise<number> {
  for (let conflicts = 0; ; ) {
    try {
      return await removeBatch(ctx, workspace, before)
    } catch (error) {
      if (!(error instanceof Conflict) || ++conflicts > maxConflicts) throw error // entries were sealed meanwhile
    }
  }
}

async function removeBatch(ctx: Context, workspace: string, before: string): Promise<number> {
  const chain = await findChain(ctx.db, workspace)
  // A chain that somebody has tampered with is kept, and reported when its next entry is sealed.
  if (!chain || !ctx.audit.chain.isAuthentic(chain)) return 0
  const oldest = await ctx.db
    .selectFrom('audit_entry')
    .select(['sequence', 'hash', 'created_at'])
    .where('workspace_id', '=', workspace)
    .where('sequence', '>', chain.anchor_sequence)
    .orderBy('sequence')
    .limit(batchSize)
    .execute()
  const young = oldest.findIndex(({ created_at }) => created_at >= before)
  const old = young < 0 ? oldest : oldest.slice(0, young)
  const last = old.at(-1)
  if (!last) return 0
  const anchor = { anchor_sequence: last.sequence as number, anchor_hash: last.hash as string }
  const removal = ctx.db
    .deleteFrom('audit_entry')
    .where('workspace_id', '=', workspace)
    .where('sequence', '>', chain.anchor_sequence)
    .where('sequence', '<=', anchor.anchor_sequence)
  await ctx.commits.commit([ctx.audit.chain.change(chain, { ...chain, ...anchor }), statement(removal, old.length)])
  return old.length
}
