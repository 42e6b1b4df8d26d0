import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import { narrowBy } from '../../../kernel/store/table.ts'
import { findHidden } from '../hidden.ts'
import { conversations } from '../service.ts'
import { type ApprovalRow, approvalTable } from '../waiting/approvals.ts'
import { type Decision, decide as decideCall } from './decide.ts'
import { maySee, seenBy, waitingFor } from './rights.ts'

const kind = 'approval'

const withheldArguments = 'Not shown: the call rests on documents that you may not see.'

/** Withholds the arguments of hidden replies, because they may repeat what a search has found. */
async function withoutHidden(ctx: Context, who: Caller, rows: readonly ApprovalRow[]): Promise<ApprovalRow[]> {
  const ids = [...new Set(rows.map(({ conversation_id }) => conversation_id))]
  const { messages } = await findHidden(ctx, who, ids)
  return rows.map((row) =>
    messages.has(row.message_id) ? { ...row, arguments: withheldArguments, edited_arguments: null } : row,
  )
}

async function list(ctx: Context, who: Caller, query: ListQuery): Promise<Page<ApprovalRow>> {
  const { may_decide, ...where } = query.where
  const narrow = narrowBy(
    seenBy(ctx, who),
    typeof may_decide === 'boolean' ? waitingFor(ctx, who, may_decide) : undefined,
  )
  const page = await approvalTable.list(ctx.db, who.workspace, { ...query, where, fields: undefined }, narrow)
  return { ...page, rows: await withoutHidden(ctx, who, page.rows) }
}

/** Fails with "not found" for hidden approvals, so that a caller cannot learn that they exist. */
async function get(ctx: Context, who: Caller, id: string): Promise<ApprovalRow> {
  const row = await approvalTable.find(ctx.db, who.workspace, id)
  if (!row || !maySee(who, row)) return notFound(kind, id)
  return (await withoutHidden(ctx, who, [row]))[0] ?? row
}

/** Decides about a call. After the last decision the turn is resumed in the background. */
async function decide(
  ctx: Context,
  who: Caller,
  id: string,
  decision: Omit<Decision, 'tool_call_id'>,
): Promise<ApprovalRow> {
  const { conversation_id, message_id, tool_call_id } = await get(ctx, who, id)
  const conversation = await conversations.table.find(ctx.db, who.workspace, conversation_id)
  await decideCall(ctx, { who }, conversation ?? notFound(kind, id), message_id, { tool_call_id, ...decision })
  return get(ctx, who, id)
}

export const approvals = { kind, list, get, decide }
