import { type Expression, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Choice, Timestamp } from '../../../kernel/schema.ts'
import type { ListQuery } from '../../../kernel/store/list.ts'
import { type Narrow, narrowBy } from '../../../kernel/store/table.ts'
import { nanoDollars } from '../../usage/cost.ts'
import { conversationsWith, hasMoreMatches, maxMatches, messagesWith, type TextSearch } from './find.ts'
import { makeSnippet } from './snippet.ts'
import { parseQuery } from './terms.ts'

const Dollars = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: `${description} US dollars.` }))

/** Filters of the list that are not fields of a conversation. */
export const conversationFilters = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Words that one message or the title contains, or the beginnings of them. Each conversation then has `matches`. Of more than 10,000 matching messages, the newest count, and `message` says so.',
      examples: ['invoice'],
    }),
  ),
  mine: Type.Optional(
    Type.Boolean({
      description:
        "`true`: only the caller's own, which have the `user_id` of the token, or none if it has none. Not those of evaluations.",
    }),
  ),
  rating: Type.Optional(Choice(['up', 'down'], { description: 'Only with a reply that was rated so.' })),
  has_error: Type.Optional(Type.Boolean({ description: 'Only with, or only without a failed reply.' })),
  cost_gte: Dollars('Only if its replies cost at least this.'),
  cost_lte: Dollars('Only if its replies cost at most this.'),
}

export const Match = Type.Object(
  {
    message_id: Type.String(),
    role: Choice(['user', 'assistant']),
    timestamp: Timestamp,
    snippet: Type.String({ description: 'The part of the message around the words.' }),
    highlights: Type.Array(
      Type.Object(
        { start: Type.Integer(), end: Type.Integer() },
        { title: 'MatchHighlight', examples: [{ start: 4, end: 11 }] },
      ),
      { description: 'Where the words are in `snippet`.' },
    ),
  },
  {
    title: 'MessageMatch',
    examples: [{ message_id: 'msg_01k9z8q4m6e3v7t2w5x8y1a4bc', role: 'user', snippet: 'The invoice is wrong.' }],
  },
)
export type Match = Static<typeof Match>

type Where = ListQuery['where']

interface Filters {
  where: Where
  narrow: Narrow | undefined
}

/** Separates these filters from those by fields. */
export function toFilters(ctx: Context, who: Caller, query: Where): Filters {
  const { search, mine, rating, has_error, cost_gte, cost_lte, ...where } = query
  const messages = ctx.db.selectFrom('message').select('conversation_id').where('workspace_id', '=', who.workspace)
  // A parameter would not match the partial indexes.
  const failed = messages.where('status', '=', sql.lit('failed'))
  const costs = (operator: '>=' | '>', dollars: unknown) =>
    messages
      .where('cost_nano', '>', sql.lit(0))
      .groupBy('conversation_id')
      .having((is) => is.fn.sum('cost_nano'), operator, nanoDollars(Number(dollars)))
  const conditions: Narrow[] = []
  const isIn = (ids: Expression<unknown>) => conditions.push((rows) => rows.where('id', 'in', ids))
  const isNotIn = (ids: Expression<unknown>) => conditions.push((rows) => rows.where('id', 'not in', ids))
  if (search !== undefined) {
    const textQuery = textSearch(who, query)
    if (textQuery) isIn(sql`(${conversationsWith(ctx, textQuery)})`)
    else conditions.push((rows) => rows.where((is) => is.lit(false)))
  }
  if (mine === true) conditions.push((rows) => rows.where((is) => is.and({ user_id: who.userId, evaluation_id: null })))
  if (rating !== undefined) isIn(messages.where('rating', '=', rating as 'up' | 'down'))
  if (has_error === true) isIn(failed)
  if (has_error === false) isNotIn(failed)
  if (cost_gte !== undefined && Number(cost_gte) > 0) isIn(costs('>=', cost_gte))
  if (cost_lte !== undefined) isNotIn(costs('>', cost_lte))
  return { where, narrow: narrowBy(...conditions) }
}

/** Null if the text has no words. */
function textSearch(who: Caller, { search, mine, user_id }: Where): TextSearch | null {
  const words = parseQuery(String(search))
  if (words.length === 0) return null
  const requestedUser = user_id === undefined ? null : String(user_id)
  const user = who.role === 'user' ? (who.userId ?? '') : ((mine === true ? who.userId : null) ?? requestedUser)
  const titleWords = String(search).toLowerCase().split(/\s+/).filter(Boolean)
  return { workspace: who.workspace, words, titleWords, user }
}

/** The notice for a caller if only the newest matches were searched. */
export async function searchNote(ctx: Context, who: Caller, where: Where): Promise<string | undefined> {
  const search = textSearch(who, where)
  if (!search || !(await hasMoreMatches(ctx, search))) return undefined
  return `Only the newest ${maxMatches.toLocaleString('en')} messages with these words were searched. Add words to find older ones.`
}

/** Finds the matching messages of each conversation, by its id. */
export async function matchesIn(
  ctx: Context,
  who: Caller,
  where: Where,
  conversations: readonly string[],
): Promise<Map<string, Match[]>> {
  const search = textSearch(who, where)
  const matches = new Map<string, Match[]>()
  if (!search) return matches
  for (const { id, conversation_id, role, timestamp, content } of await messagesWith(ctx, search, conversations)) {
    const match = { message_id: id, role, timestamp, ...makeSnippet(content, search.words) }
    matches.set(conversation_id, [...(matches.get(conversation_id) ?? []), match])
  }
  return matches
}
