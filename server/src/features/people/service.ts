import { sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { resourceTable, type Stored } from '../../kernel/store/table.ts'
import { hasText } from '../../kernel/store/text-index.ts'
import { countConversationsByUser } from '../conversations/service.ts'
import { countTokensByUser } from '../tokens/service.ts'
import { usageOfUsers } from '../usage/rollup.ts'
import { computed, User } from './schema.ts'

type UserRow = Stored<User>

const rows = resourceTable<typeof User>({
  name: 'person',
  shape: User,
  computed,
  filters: {
    group: (query, name) => query.where(hasText(sql.ref('groups'), JSON.stringify(name))),
  },
})

async function list(ctx: Context, who: Caller, query: ListQuery): Promise<Page<UserRow>> {
  await ctx.people.flush()
  const page = await rows.list(ctx.db, who.workspace, query)
  return { ...page, rows: await withFigures(ctx, who.workspace, page.rows) }
}

async function names(ctx: Context, who: Caller, paging: { page: number; limit: number }): Promise<Page<UserRow>> {
  await ctx.people.flush()
  const newest = { sort: 'last_seen_at', order: 'desc', q: undefined, fields: undefined, where: {} } as const
  return rows.list(ctx.db, who.workspace, { ...paging, ...newest })
}

async function get(ctx: Context, who: Caller, id: string): Promise<UserRow> {
  await ctx.people.flush()
  const row = (await rows.find(ctx.db, who.workspace, id)) ?? notFound('user', id)
  const [shown] = await withFigures(ctx, who.workspace, [row])
  return shown ?? row
}

/** Counts for these rows only, in a thread: a person can have a hundred thousand conversations. */
async function withFigures(ctx: Context, workspace: string, people: UserRow[]): Promise<UserRow[]> {
  if (people.length === 0) return people
  const users = people.map(({ user_id }) => user_id)
  const [conversations, tokens, usage] = await Promise.all([
    countConversationsByUser(ctx.longReads, workspace, users),
    countTokensByUser(ctx.longReads, workspace, users),
    usageOfUsers(ctx, workspace, users),
  ])
  return people.map((person) => {
    const sums = usage.get(person.user_id) ?? { tokens: 0, cost: 0, requests: 0, unpriced_requests: 0 }
    return {
      ...person,
      conversations: conversations.get(person.user_id) ?? 0,
      tokens: tokens.get(person.user_id) ?? 0,
      usage: sums,
    }
  })
}

export const users = { kind: 'user', list, names, get }
