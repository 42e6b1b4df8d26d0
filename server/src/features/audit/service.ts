import type { Caller, Context } from '../../kernel/context.ts'
import { dayRange } from '../../kernel/dates.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import { resourceTable } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { AuditEntry } from './schema.ts'

const entries = resourceTable({
  name: 'audit_entry',
  shape: AuditEntry,
  computed: ['updated_at'],
  filters: {
    start_date: (rows, day) => rows.where('created_at', '>=', `${day}T00:00:00Z`),
    end_date: (rows, day) => rows.where('created_at', '<=', `${day}T23:59:59Z`),
  },
})

export async function list(ctx: Context, who: Caller, query: ListQuery) {
  const { start_date, end_date, ...where } = query.where
  const { start, end } = dayRange({ start_date, end_date } as Record<string, string | undefined>)
  const days = { ...(start !== undefined && { start_date: start }), ...(end !== undefined && { end_date: end }) }
  const { rows, total } = await entries.list(ctx.db, who.workspace, { ...query, where: { ...where, ...days } })
  return { rows: rows.map((row) => ({ ...row, updated_at: row.created_at })), total } // an entry never changes
}

const batchSize = 1000

export async function removeEntries(ctx: Context, before: number): Promise<number> {
  const old = ctx.db.selectFrom('audit_entry').select('id').where('created_at', '<', timestamp(before)).limit(batchSize)
  const result = await ctx.db.deleteFrom('audit_entry').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
