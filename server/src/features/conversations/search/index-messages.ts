import { sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { yieldEvery } from '../../../kernel/yield.ts'
import { termsOf, userTerm, workspaceTerm } from './terms.ts'

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    /** Messages whose words are not in the index yet. */
    message_unindexed: { id: string }
  }
}

/** Few, because others wait for the commit. */
const batchSize = 50
const unfinished = ['running', 'awaiting_approval'] as const

/** Indexes the messages that are in the queue and no longer change. */
export async function indexMessages(ctx: Context, signal?: AbortSignal): Promise<void> {
  const yieldCpu = yieldEvery(5)
  for (;;) {
    const messages = await ctx.db
      .selectFrom('message_unindexed')
      .innerJoin('message', 'message.id', 'message_unindexed.id')
      .select(['message.id', 'message.workspace_id', 'message.user_id', 'message.content'])
      .where('message.status', 'not in', unfinished)
      .orderBy('message_unindexed.id')
      .limit(batchSize)
      .execute()
    const statements: Statement[] = []
    for (const { id, workspace_id, user_id, content } of messages) {
      const owner = user_id === null ? [] : [userTerm(user_id)]
      statements.push(...indexing(ctx, id, [workspaceTerm(workspace_id), ...owner, ...termsOf(content)]))
      await yieldCpu()
    }
    if (statements.length > 0) await ctx.commits.commit(statements)
    if (messages.length < batchSize) return
    signal?.throwIfAborted()
  }
}

/** Does nothing if the message was deleted or indexed meanwhile. */
function indexing({ engine, statements }: Context, id: string, terms: string[]): Statement[] {
  const queue = statements.raw('delete from message_unindexed where id = ?', [id])
  if (engine === 'postgres') {
    const insert = `insert into message_words (message_id, conversation_id, words)
      select id, conversation_id, array_to_tsvector(?::text[]) from message where id = ? on conflict do nothing`
    return [statements.raw(insert, [terms, id]), queue]
  }
  return [
    statements.raw(
      `insert into message_words_index_row (message_id, conversation_id)
        select id, conversation_id from message where id = ? on conflict do nothing`,
      [id],
    ),
    statements.raw(
      `insert into message_words_index (rowid, words)
        select number, ? from message_words_index_row join message_unindexed on id = message_id where id = ?`,
      [terms.join(' '), id],
    ),
    queue,
  ]
}

/** Queues all messages if none is indexed: a move to Postgres does not copy the index. */
export async function queueOldMessages({ db, engine }: Context): Promise<void> {
  const indexed = engine === 'postgres' ? 'message_words' : 'message_words_index_row'
  await sql`insert into message_unindexed (id) select id from message
    where not exists (select 1 from ${sql.table(indexed)}) on conflict do nothing`.execute(db)
}
