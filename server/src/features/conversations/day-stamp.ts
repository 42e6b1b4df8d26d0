import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { Engine } from '../../kernel/store/database.ts'
import type { MessageRow } from './message-row.ts'

/**
 * A stamp is new with every change, also after an older copy of the database was put back. On Postgres each connection has
 * a stamp of its own, because transactions that change the same row would wait for each other.
 */
export const stampOf = (engine: Engine): { shard: string; stamp: string } =>
  engine === 'postgres'
    ? { shard: 'pg_backend_pid()', stamp: '(random() * 9007199254740991)::bigint' }
    : { shard: '0', stamp: 'abs(random() % 9007199254740991)' }

/** Belongs into every unit that adds a message or changes the status, the usage or the tool calls of one. */
export function stampDay(
  ctx: Context,
  { workspace_id, timestamp }: Pick<MessageRow, 'workspace_id' | 'timestamp'>,
): Statement {
  const { shard, stamp } = stampOf(ctx.engine)
  return ctx.statements.raw(
    `insert into message_day (workspace_id, day, shard, stamp) values (?, ?, ${shard}, ${stamp})
      on conflict (workspace_id, day, shard) do update set stamp = excluded.stamp`,
    [workspace_id, timestamp.slice(0, 10)],
  )
}
