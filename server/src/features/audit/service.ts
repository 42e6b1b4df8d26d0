import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import { resourceTable } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { AuditEntry } from './schema.ts'

const entries = resourceTable({
  name: 'audit_entry',
  shape: AuditEntry,
  filters: {
    start_date: (rows, day) => rows.where('created_at', '>=', `${day}T00:00:00Z`),
    end_date: (rows, day) => rows.where('created_at', '<=', `${day}T23:59:59Z`),
  },
})

export function list(ctx: Context, who: Caller, query: ListQuery) {
  const { start_date: start, end_date: end } = query.where
  if (start && end && start > end) invalid('start_date', 'must not be after end_date')
  return entries.list(ctx.db, who.workspace, query)
}

const batchSize = 1000

export async function removeEntries(ctx: Context, before: number): Promise<number> {
  const old = ctx.db.selectFrom('audit_entry').select('id').where('created_at', '<', timestamp(before)).limit(batchSize)
  const result = await ctx.db.deleteFrom('audit_entry').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
