import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { isPostgres } from '../../../kernel/store/database.ts'
import { areIndexed, idsByText } from '../../../kernel/store/text-index.ts'
import { conversationTitles } from '../lists.ts'
import { type QueryTerm, type QueryWord, queryTerms, userTerm, workspaceTerm } from './terms.ts'

/** A search with more matches looks only at the newest ones. */
export const maxMatches = 10_000
const maxShown = 3

export interface TextSearch {
  workspace: string
  words: readonly QueryWord[]
  /** In lower case. */
  titleWords: string[]
  /** Only messages in conversations of this user. */
  user: string | null
}

interface Source {
  table: RawBuilder<unknown>
  /** The condition that a message has all words. */
  isMatch: RawBuilder<boolean>
  order: RawBuilder<unknown>
}

function matchSource({ db }: Pick<Context, 'db'>, { workspace, words, user }: TextSearch): Source {
  const terms: QueryTerm[] = [
    { term: workspaceTerm(workspace), isPrefix: false },
    ...(user === null ? [] : [{ term: userTerm(user), isPrefix: false }]),
    ...queryTerms(words),
  ]
  if (isPostgres(db)) {
    const query = terms.map(({ term, isPrefix }) => `'${term}'${isPrefix ? ':*' : ''}`).join(' & ')
    return {
      table: sql`message_words`,
      isMatch: sql<boolean>`words @@ ${query}::tsquery`,
      order: sql`message_id desc`,
    }
  }
  const query = terms.map(({ term, isPrefix }) => `${term}${isPrefix ? '*' : ''}`).join(' AND ')
  return {
    table: sql`message_words_index join message_words_index_row on number = message_words_index.rowid`,
    isMatch: sql<boolean>`message_words_index match ${query}`,
    order: sql`message_words_index.rowid desc`,
  }
}

/** The ids of the conversations with a message, or a title, that has all words. */
export function conversationsWith(ctx: Context, search: TextSearch): RawBuilder<unknown> {
  const { table, isMatch, order } = matchSource(ctx, search)
  const bySaid = sql`select conversation_id from (
    select conversation_id from ${table} where ${isMatch} order by ${order} limit ${maxMatches}) as found`
  const { workspace, titleWords } = search
  if (!areIndexed(titleWords)) return bySaid
  const byTitle = idsByText(ctx.db, conversationTitles, { workspace, words: titleWords, limit: maxMatches })
  return sql`${bySaid} union select id from (${byTitle}) as titled`
}

/** Whether there are more matching messages than a search looks at. */
export async function hasMoreMatches(ctx: Context, search: TextSearch): Promise<boolean> {
  const { table, isMatch } = matchSource(ctx, search)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select 1 from ${table} where ${isMatch} limit ${maxMatches + 1}) as found`.execute(
    ctx.db,
  )
  return Number(rows[0]?.n) > maxMatches
}

export interface FoundMessage {
  id: string
  conversation_id: string
  role: 'user' | 'assistant'
  timestamp: string
  content: string
}

/** The newest matching messages of each of these conversations. */
export async function messagesWith(
  ctx: Context,
  search: TextSearch,
  conversations: readonly string[],
): Promise<FoundMessage[]> {
  if (conversations.length === 0) return []
  const { table, isMatch, order } = matchSource(ctx, search)
  const ids = sql.join(conversations)
  const matchingIds = isPostgres(ctx.db)
    ? sql`select message_id from message_words where conversation_id in (${ids}) and ${isMatch}`
    : sql`select message_id from message_words_index_row where conversation_id in (${ids}) and number in (
        select number from ${table} where ${isMatch} order by ${order} limit ${maxMatches})`
  const { rows } = await sql<FoundMessage>`
    select id, conversation_id, role, timestamp, content from (
      select id, conversation_id, role, timestamp, content,
        row_number() over (partition by conversation_id order by id desc) as place
      from message where workspace_id = ${search.workspace} and id in (${matchingIds})) as matching
    where place <= ${maxShown} order by id desc`.execute(ctx.db)
  return rows
}
