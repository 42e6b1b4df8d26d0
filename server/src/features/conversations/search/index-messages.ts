import { type Generated, sql } from 'kysely'
import { waitingStatuses } from '../../../kernel/agent/needs.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { prepared } from '../../../kernel/store/statement.ts'
import { yieldEvery } from '../../../kernel/yield.ts'
import { indexTerms, userTerm, workspaceTerm } from './terms.ts'

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    /** Messages whose words are not in the index yet. */
    message_unindexed: { id: string }
    /** The index on Postgres. */
    message_words: { message_id: string; conversation_id: string; words: string }
    /** The index on SQLite, and the messages that its rows are about. */
    message_words_index: { rowid: number; words: string }
    message_words_index_row: { number: Generated<number>; message_id: string; conversation_id: string }
  }
}

/** Small, because other writers wait for the commit. */
const batchSize = 50
/** A search first indexes at most this many messages. After an import there are more, which the job indexes. */
const indexedBySearch = 4 * batchSize
const unfinished = ['running', ...waitingStatuses] as const

interface IndexOptions {
  signal?: AbortSignal
  /** How many messages are indexed at most, in whole batches. */
  limit?: number
  /** Only the messages of this workspace, the newest first. */
  workspace?: string
}

/** Indexes the messages that are in the queue and no longer change. */
export async function indexMessages(ctx: Context, options: IndexOptions = {}): Promise<void> {
  const { signal, limit = Infinity, workspace } = options
  const yieldCpu = yieldEvery(5)
  for (let count = 0; count < limit; count += batchSize) {
    const messages = await ctx.db
      .selectFrom('message_unindexed')
      .innerJoin('message', 'message.id', 'message_unindexed.id')
      .select(['message.id', 'message.workspace_id', 'message.user_id', 'message.content'])
      .where('message.status', 'not in', unfinished)
      .$if(workspace !== undefined, (query) => query.where('message.workspace_id', '=', workspace ?? ''))
      .orderBy('message_unindexed.id', workspace === undefined ? 'asc' : 'desc')
      .limit(batchSize)
      .execute()
    const statements: Statement[] = []
    for (const { id, workspace_id, user_id, content } of messages) {
      const owner = user_id === null ? [] : [userTerm(user_id)]
      statements.push(...indexing(ctx, id, [workspaceTerm(workspace_id), ...owner, ...indexTerms(content)]))
      await yieldCpu()
    }
    if (statements.length > 0) await ctx.commits.commit(statements)
    if (messages.length < batchSize) return
    signal?.throwIfAborted()
  }
}

/** Indexes the latest messages, so that a search finds them. If that fails, as on a full disk, it searches without them. */
export async function indexBeforeSearch(ctx: Context, { workspace }: Pick<Caller, 'workspace'>): Promise<void> {
  try {
    await indexMessages(ctx, { limit: indexedBySearch, workspace })
  } catch (error) {
    ctx.log.warn({ error: reason(error) }, 'could not index new messages before a search')
  }
}

/** Does nothing if the message was deleted or indexed meanwhile. */
const indexing = ({ db, engine }: Context, id: string, terms: string[]): Statement[] => [
  ...(engine === 'postgres'
    ? [insertVector(db, { id, terms })]
    : [insertIndexRow(db, { id }), insertWords(db, { id, words: terms.join(' ') })]),
  dequeue(db, { id }),
]

const dequeue = prepared((db, { id }: { id: string }) => db.deleteFrom('message_unindexed').where('id', '=', id))

const insertVector = prepared((db, { id, terms }: { id: string; terms: string[] }) =>
  db
    .insertInto('message_words')
    .columns(['message_id', 'conversation_id', 'words'])
    .expression(
      db
        .selectFrom('message')
        .select(['id', 'conversation_id', termVector(terms).as('words')])
        .where('id', '=', id),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

const termVector = (terms: string[]) => sql<string>`array_to_tsvector(${terms}::text[])`

const insertIndexRow = prepared((db, { id }: { id: string }) =>
  db
    .insertInto('message_words_index_row')
    .columns(['message_id', 'conversation_id'])
    .expression(db.selectFrom('message').select(['id', 'conversation_id']).where('id', '=', id))
    .onConflict((conflict) => conflict.doNothing()),
)

const insertWords = prepared((db, { id, words }: { id: string; words: string }) =>
  db
    .insertInto('message_words_index')
    .columns(['rowid', 'words'])
    .expression(
      db
        .selectFrom('message_words_index_row')
        .innerJoin('message_unindexed', 'message_unindexed.id', 'message_id')
        .select((is) => ['number', is.val(words).as('words')])
        .where('message_unindexed.id', '=', id),
    ),
)

/** Queues all messages if none is indexed: a move to Postgres does not copy the index. */
export async function queueOldMessages({ db, engine }: Context): Promise<void> {
  const indexed = engine === 'postgres' ? 'message_words' : 'message_words_index_row'
  await db
    .insertInto('message_unindexed')
    .columns(['id'])
    .expression(
      db
        .selectFrom('message')
        .select('id')
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom(indexed).select('message_id')))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
