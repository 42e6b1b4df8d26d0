import { isDeepStrictEqual } from 'node:util'
import { isBound } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { requireMatch } from '../../kernel/store/collection.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { type Narrow, resourceTable } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { agents } from '../agents/service.ts'
import { findReplies, readExchanges, type SeenExchange } from '../conversations/scored-replies.ts'
import { addCaseFrom, replaceCaseOfReview } from '../evaluations/cases/from-message.ts'
import { queueReview } from './queue.ts'
import {
  exchangeFields,
  Review,
  type ReviewReason,
  type ReviewVerdict,
  type ReviewView,
  type StoredReview,
  type Verdict,
} from './schema.ts'

const kind = 'review'
const table = resourceTable({ name: 'review', shape: Review, computed: exchangeFields })
type Row = StoredReview

/** Reviews of agents that the caller may not see do not exist for the caller. */
async function visible(ctx: Context, who: Caller): Promise<Narrow | undefined> {
  const hidden = isBound(who) ? await agents.unseen(ctx, who) : []
  return hidden.length === 0 ? undefined : (query) => query.where('agent_id', 'not in', hidden)
}

async function find(ctx: Context, who: Caller, id: string): Promise<Row> {
  const row = (await table.find(ctx.db, who.workspace, id)) as unknown as Row | undefined
  const hidden = isBound(who) ? await agents.unseen(ctx, who) : []
  return row && !hidden.includes(row.agent_id ?? '') ? row : notFound(kind, id)
}

async function withExchanges(ctx: Context, who: Caller, rows: Row[]): Promise<ReviewView[]> {
  const exchanges = await readExchanges(
    ctx,
    who,
    rows.map(({ message_id }) => message_id),
  )
  return rows.flatMap((row) => {
    const exchange = exchanges.get(row.message_id)
    return exchange ? [present(row, exchange)] : []
  })
}

/** Reviewers may quote a reply, so their words are hidden with it. */
function present(row: Row, { question, reply, isMasked }: SeenExchange): ReviewView {
  return {
    ...row,
    ...(isMasked && { expected_output: null, comment: null }),
    question: isMasked ? null : (question?.content ?? null),
    reply: isMasked ? null : reply.content,
    error: isMasked ? null : reply.error,
    feedback: isMasked && reply.feedback ? { ...reply.feedback, comment: null } : reply.feedback,
    scores: reply.scores ?? null,
    withheld: isMasked,
  }
}

const one = async (ctx: Context, who: Caller, row: Row): Promise<ReviewView> =>
  (await withExchanges(ctx, who, [row]))[0] ?? notFound(kind, row.id)

async function list(ctx: Context, who: Caller, query: ListQuery): Promise<Page<ReviewView>> {
  const page = await table.list(ctx.db, who.workspace, { ...query, fields: undefined }, await visible(ctx, who))
  return { rows: await withExchanges(ctx, who, page.rows as unknown as Row[]), total: page.total }
}

async function create(ctx: Context, who: Caller, body: object): Promise<ReviewView> {
  const { message_id: id, assigned_to = null } = body as Pick<Row, 'message_id'> & Partial<Row>
  const [reply] = await findReplies(ctx.db, who.workspace, [id])
  if (!reply) unknownReference('message_id', 'reply', id)
  const row = await inTransaction(ctx.db, async (tx) => {
    const isNew = await queueReview(ctx, tx, reply, 'manual', assigned_to)
    const row = await tx
      .selectFrom('review')
      .select('id')
      .where('workspace_id', '=', who.workspace)
      .where('message_id', '=', id)
      .executeTakeFirstOrThrow()
    if (isNew) await ctx.audit.record(tx, who, { action: 'create', kind, id: row.id })
    return row
  })
  return one(ctx, who, await find(ctx, who, row.id))
}

async function change(
  ctx: Context,
  who: Caller,
  id: string,
  ifMatch: string | undefined,
  toChanges: (row: Row, tx: Db) => Promise<Partial<Row>> | Partial<Row>,
): Promise<ReviewView> {
  await find(ctx, who, id)
  const row = await inTransaction(ctx.db, async (tx) => {
    const row = ((await table.lock(tx, who.workspace, id)) ?? notFound(kind, id)) as unknown as Row
    requireMatch(kind, row, ifMatch)
    const changes = await toChanges(row, tx)
    if (isDeepStrictEqual({ ...row, ...changes }, row)) return row
    const next = { ...row, ...changes, revision: row.revision + 1, updated_at: timestamp(ctx.now()) }
    await table.update(tx, who.workspace, id, next as never)
    await ctx.audit.record(tx, who, { action: 'update', kind, id, fields: Object.keys(changes) })
    return next
  })
  return one(ctx, who, row)
}

/** Only the person that it is assigned to can be changed. */
const update = (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<ReviewView> =>
  change(ctx, who, id, ifMatch, (row) => {
    const { message_id = row.message_id, assigned_to = row.assigned_to } = body as Partial<Row>
    if (message_id !== row.message_id) invalid('message_id', 'of a review cannot be changed')
    return { assigned_to }
  })

/** Stores the verdict of a person and its test case in one transaction. */
const decide = (ctx: Context, who: Caller, id: string, body: ReviewVerdict): Promise<ReviewView> =>
  change(ctx, who, id, undefined, async (row, tx) => {
    const { verdict, comment = null, tags = [] } = body
    await keepTestCase(ctx, who, row, body, tx)
    return {
      status: 'done',
      verdict,
      expected_output: body.expected_output ?? null,
      comment,
      tags,
      evaluation_id: body.evaluation_id ?? row.evaluation_id,
      reviewed_by: who.userId ?? who.token,
      reviewed_at: timestamp(ctx.now()),
    }
  })

/** Adds the test case that a verdict asks for, or changes the one that the verdict before it has added. */
async function keepTestCase(ctx: Context, who: Caller, row: Row, body: ReviewVerdict, tx: Db): Promise<void> {
  const { conversation_id, message_id } = row
  const { verdict, expected_output = null, tags = [], evaluation_id = null } = body
  // A bad reply is not what is expected, even if nobody wrote a better one.
  const expected = expected_output ?? (verdict === 'good' ? undefined : null)
  const metadata = { review_id: row.id, ...(tags.length > 0 && { tags }) }
  const source = { conversation_id, message_id, expected, metadata }
  if (evaluation_id === null || evaluation_id === row.evaluation_id) {
    // The evaluation or the case may have been deleted since.
    if (row.evaluation_id !== null)
      await replaceCaseOfReview(ctx, who, row.evaluation_id, row.id, source, tx).catch(unlessGone)
    return
  }
  await addCaseFrom(ctx, who, evaluation_id, source, tx).catch((error) => asReference(error, evaluation_id))
}

function unlessGone(error: unknown): void {
  if (!['not_found', 'unknown_reference'].includes((error as { code?: string }).code ?? '')) throw error
}

/** A missing evaluation is an error in the body here. */
function asReference(error: unknown, evaluation: string): never {
  if ((error as { code?: string }).code === 'not_found') unknownReference('evaluation_id', 'evaluation', evaluation)
  throw error
}

export const reviews = {
  kind,
  list,
  get: async (ctx: Context, who: Caller, id: string) => one(ctx, who, await find(ctx, who, id)),
  create,
  update,
  decide,
}

/** The replies that people have reviewed of an agent, what they said, and why they were asked. */
export async function reviewedReplies(
  db: Db,
  workspace: string,
  agent: string,
): Promise<Map<string, { verdict: Verdict; reason: ReviewReason }>> {
  const rows = await db
    .selectFrom('review')
    .select(['message_id', 'verdict', 'reason'])
    .where('workspace_id', '=', workspace)
    .where('agent_id', '=', agent)
    .where('status', '=', 'done')
    .execute()
  return new Map(
    rows.flatMap(({ message_id, verdict, reason }) => (verdict === null ? [] : [[message_id, { verdict, reason }]])),
  )
}
