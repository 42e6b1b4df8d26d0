import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import { resourceTable, type Stored } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import type { PersonJobRow } from './migrations.ts'
import { UserJob } from './schema.ts'

export type JobRow = Stored<UserJob>

export const jobs = resourceTable<typeof UserJob>({ name: 'person_job', shape: UserJob })

export const updateJob = async (
  ctx: Context,
  db: Db,
  workspace: string,
  id: string,
  changes: Partial<PersonJobRow>,
): Promise<void> => {
  await db
    .updateTable('person_job')
    .set((is) => ({ ...changes, updated_at: timestamp(ctx.now()), revision: is('revision', '+', 1) }))
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .execute()
}
