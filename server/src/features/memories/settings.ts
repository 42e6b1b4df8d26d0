import type { Caller, Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import type { MemorySettings } from './schema.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    memory_setting: { workspace_id: string; enabled: boolean }
  }
}

type Reader = Pick<Caller, 'workspace' | 'configuration'>

/** Memory is on until an administrator turns it off. */
export const readSettings = (ctx: Context, who: Reader): Promise<MemorySettings> =>
  ctx.cache.get(who, 'memory settings', async () => {
    const row = await ctx.db
      .selectFrom('memory_setting')
      .select('enabled')
      .where('workspace_id', '=', who.workspace)
      .executeTakeFirst()
    return { enabled: row === undefined || Boolean(row.enabled) }
  })

export async function changeSettings(ctx: Context, who: Caller, { enabled }: MemorySettings): Promise<MemorySettings> {
  await inTransaction(ctx.db, async (tx) => {
    await tx
      .insertInto('memory_setting')
      .values({ workspace_id: who.workspace, enabled })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ enabled }))
      .execute()
    await ctx.audit.record(tx, who, { action: 'update', kind: 'memory settings', id: who.workspace })
  })
  return { enabled }
}
