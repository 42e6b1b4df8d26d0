import { isBound } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound, Problem, unknownReference } from '../../kernel/errors.ts'
import { collection } from '../../kernel/store/collection.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { statement } from '../../kernel/store/statement.ts'
import { type Narrow, narrowBy } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { agents } from '../agents/service.ts'
import { bindVersion } from './binding.ts'
import { completeNow } from './completion.ts'
import { findHidden, isWithheld } from './hidden.ts'
import { conversationTitles } from './lists.ts'
import { removeConversations } from './removal.ts'
import { Conversation } from './schema.ts'
import { findReplies } from './scored-replies.ts'
import { type Match, matchesIn, searchNote, toFilters } from './search/filters.ts'
import { indexBeforeSearch } from './search/index-messages.ts'
import type { ConversationRow, HiddenColumns } from './store.ts'
import { refuseVariables } from './variables.ts'

export type { ConversationRow } from './store.ts'

/** The role `user` sees its own conversations only. */
const narrow = (who: Caller): Narrow | undefined =>
  who.role === 'user' ? (query) => query.where('user_id', '=', who.userId) : undefined

const rows = collection<typeof Conversation, HiddenColumns>({
  name: 'conversation',
  shape: Conversation,
  prefix: 'cnv',
  kind: 'conversation',
  narrow,
  filters: {
    parent_message_id: (query, value) =>
      value === '' ? query.where('parent_message_id', 'is', null) : query.where('parent_message_id', '=', value),
  },
  textIndex: conversationTitles,
  async complete({ ctx, tx, who, next, input, previous }) {
    next.variables ??= {}
    if (who.role === 'user') {
      next.user_id = who.userId
      refuseVariables(next.variables, previous?.variables)
    }
    if (previous) {
      if (next.agent_id !== previous.agent_id) invalid('agent_id', 'of a conversation cannot be changed')
      if (next.label !== previous.label) invalid('label', 'of a conversation cannot be changed')
      if (next.user_id !== previous.user_id && input.user_id !== undefined)
        invalid('user_id', 'of a conversation cannot be changed')
      if (next.memory !== previous.memory) invalid('memory', 'of a conversation cannot be changed')
      return
    }
    const agent = await agents.find(tx, who, next.agent_id)
    if (!agent || !agents.sees(who, agent)) unknownReference('agent_id', 'agent', next.agent_id)
    if (next.status === 'completed') invalid('status', 'of a new conversation cannot be completed')
    next.evaluation_id ??= null
    next.parent_message_id ??= null
    next.memory ??= true
    next.summary ??= null
    next.callers ??= '[]'
    next.label ??= null
    if (agent.status === 'archived' && next.evaluation_id === null)
      invalid('agent_id', 'names an agent that is archived')
    Object.assign(next, bindVersion(agent, next))
    Object.assign(next, { status: 'active', running_message_id: null, last_message_id: null, active_at: ctx.now() })
  },
  async removed({ ctx, tx, who, row }) {
    await removeConversations(ctx, tx, who.workspace, [row.id])
  },
})

/**
 * The conversation. For the role `user`, conversations of others do not exist; for all who are bound by access, neither do
 * those in which an agent was asked with what they may not see.
 */
async function get(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  const row = await find(ctx, who, id)
  return who.role === 'user' && row.user_id !== who.userId ? notFound('conversation', id) : row
}

async function find(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  const row = await rows.get(ctx, who, id)
  return (await isWithheld(ctx, who, row)) ? notFound('conversation', id) : row
}

/** The conversation for reading. Everyone who sees its agent may read a shared one. */
export async function read(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  const row = await find(ctx, who, id)
  return row.shared && (await seesAgent(ctx, who, row.agent_id)) ? row : get(ctx, who, id)
}

/** Deleted agents stay visible in their conversations. */
async function seesAgent(ctx: Context, who: Caller, id: string): Promise<boolean> {
  const agent = isBound(who) ? await agents.find(ctx.db, who, id) : undefined
  return agent === undefined || agents.sees(who, agent)
}

/** `status: "completed"` completes the conversation together with the other changes. */
async function update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<ConversationRow> {
  await get(ctx, who, id)
  const { status, ...changes } = body as Partial<Conversation>
  return inTransaction(ctx.db, async (tx) => {
    const row = await rows.update(ctx, who, id, changes, ifMatch, tx)
    if (status === undefined || status === row.status) return row
    if (row.status === 'completed') {
      throw new Problem(
        'conversation_completed',
        'This conversation is completed and cannot be reopened. Start a new one.',
      )
    }
    if (!(await completeNow(ctx, tx, { workspace: who.workspace, id, reason: 'requested' }))) throw busy()
    return (await rows.find(tx, who, id)) ?? notFound('conversation', id)
  })
}

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  const { parent_message_id, running_message_id } = await get(ctx, who, id)
  // Another reply waits for the one that is being written here.
  if (parent_message_id !== null && running_message_id !== null) throw busy()
  await rows.remove(ctx, who, id, ifMatch)
}

/** With `search`, each conversation has its matches. Filters may read all messages, so a thread runs the query. */
async function list(
  ctx: Context,
  who: Caller,
  query: ListQuery,
): Promise<Page<ConversationRow & { matches?: Match[] }>> {
  if (query.where.search !== undefined) await indexBeforeSearch(ctx, who)
  const { where, narrow: filtered } = toFilters(ctx, who, query.where)
  // Conversations of agents that were asked as tools belong to the reply that asked.
  const shown = { ...query, where: { parent_message_id: '', ...where }, fields: undefined }
  const all = narrowBy(narrow(who), filtered, await notWithheld(ctx, who, shown.where))
  const page = await rows.table.list(ctx.longReads, who.workspace, shown, all)
  if (query.where.search === undefined) return page
  const matches = await matchesIn(
    ctx,
    who,
    query.where,
    page.rows.map(({ id }) => id),
  )
  const message = await searchNote(ctx, who, query.where)
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, matches: matches.get(row.id) ?? [] })),
    ...(message !== undefined && { message }),
  }
}

/** Leaves out conversations of agents that a reply asked with what the caller may not see. */
async function notWithheld(ctx: Context, who: Caller, { parent_message_id: id }: ListQuery['where']) {
  if (!isBound(who) || !id) return undefined
  const reply = (await findReplies(ctx.db, who.workspace, [String(id)]))[0]
  const hidden = reply && (await findHidden(ctx, who, [reply.conversation_id])).messages.has(reply.id)
  return hidden ? (query: Parameters<Narrow>[0]) => query.where((is) => is.lit(false)) : undefined
}

export type ListFilter = Pick<ListQuery, 'where' | 'q' | 'ranges'>

export const conversations = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  list,
  get,
  /** Uses the caller's transaction if there is one, else a grouped commit. */
  async create(ctx: Context, who: Caller, body: object, tx?: Db, id?: string): Promise<ConversationRow> {
    const row = await (tx ? rows.create(ctx, who, body, tx) : rows.createGrouped(ctx, who, body, id))
    ctx.people.seen(who.workspace, row.user_id)
    return row
  },
  update,
  remove,
  count: rows.count,
  /** The conversations after an id, oldest first. */
  async after(ctx: Context, who: Caller, filter: ListFilter, id: string, limit: number) {
    if (filter.where.search !== undefined) await indexBeforeSearch(ctx, who)
    const { where, narrow: filtered } = toFilters(ctx, who, filter.where)
    const query = { ...filter, where, limit, sort: 'id', order: 'asc', fields: undefined } as const
    const isAfter: Narrow = (rest) => rest.where('id', '>', id)
    return rows.table.first(ctx.longReads, who.workspace, query, narrowBy(narrow(who), filtered, isAfter))
  },
}

/** Completes the conversation of an evaluation, without an event. */
export const endQuietly = (ctx: Context, who: Caller, id: string): Statement =>
  statement(
    ctx.db
      .updateTable('conversation')
      .set({ status: 'completed', updated_at: timestamp(ctx.now()) })
      .where((is) => is.and({ id, workspace_id: who.workspace, status: 'active', running_message_id: null })),
  )

export async function complete(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  const conversation = await get(ctx, who, id)
  if (conversation.status === 'completed') return conversation
  const done = await inTransaction(ctx.db, (tx) =>
    completeNow(ctx, tx, { workspace: who.workspace, id, reason: 'requested' }),
  )
  const now = await get(ctx, who, id)
  if (!done && now.running_message_id !== null) throw busy()
  return now
}

/** Whether an agent answers in a conversation, or did until it handed the conversation on. */
export async function belongsTo(
  db: Db,
  { id, workspace_id, agent_id }: Pick<ConversationRow, 'id' | 'workspace_id' | 'agent_id'>,
  agentId: string,
): Promise<boolean> {
  if (agent_id === agentId) return true
  const first = await db
    .selectFrom('message')
    .select('agent_id')
    .where('workspace_id', '=', workspace_id)
    .where('conversation_id', '=', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.agent_id === agentId
}

/** A schedule or trigger goes on with its conversation, even if that was completed, most often by silence. */
export async function reopen(ctx: Context, tx: Db, who: Caller, id: string): Promise<void> {
  await tx
    .updateTable('conversation')
    .set((is) => ({
      status: 'active' as const,
      active_at: ctx.now(),
      updated_at: timestamp(ctx.now()),
      revision: is('revision', '+', 1),
    }))
    .where((is) => is.and({ id, workspace_id: who.workspace, status: 'completed' }))
    .execute()
}

export const busy = () =>
  new Problem(
    'conversation_busy',
    'The conversation is still answering an earlier message. Wait for it, decide about the calls it waits for, or cancel it.',
  )

/** How many conversations these users have. */
export async function countConversationsByUser(
  db: Db,
  workspace: string,
  users: string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('conversation')
    .select(['user_id', (is) => is.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', workspace)
    .where('user_id', 'in', users)
    .groupBy('user_id')
    .execute()
  return new Map(rows.map(({ user_id, count }) => [user_id ?? '', Number(count)]))
}
