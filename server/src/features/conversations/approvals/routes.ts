import type { Context } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/http/app.ts'
import { ById, Ok, ok } from '../../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../../kernel/http/resource-routes.ts'
import { formatEtag } from '../../../kernel/store/collection.ts'
import type { ApprovalRow } from '../waiting/approvals.ts'
import { Approval, approvalFilters, DecideBody } from '../waiting/schema.ts'
import { deciders, isWaitingFor } from './rights.ts'
import { approvals } from './service.ts'

const decisionNote =
  'Answers with the approval at once. If the reply waits for no other call, it goes on in the background: read the message, or follow its stream. The same decision again changes nothing; the opposite one is 409, and so is a decision after `expires_at`. A caller who sees the approval but may not decide gets 403, with `deciders`.'

export function approvalRoutes(app: App, ctx: Context): void {
  const present = (row: ApprovalRow, who: Parameters<typeof isWaitingFor>[1]) => ({
    ...row,
    may_decide: isWaitingFor(ctx, who, row),
    deciders: deciders(row),
  })
  const example = { name: 'send_mail', status: 'pending', arguments: { to: 'ada@example.com' } }
  resourceRoutes(app, ctx, {
    path: '/approvals',
    title: 'Approval',
    tag: 'Approvals',
    shape: Approval,
    computed: ['may_decide', 'deciders'],
    filters: approvalFilters,
    service: approvals,
    present,
    read: 'approve',
    write: 'approve',
    example,
  })

  app.post(
    '/approvals/:id',
    {
      config: { may: 'approve' },
      schema: {
        tags: ['Approvals'],
        summary: 'Approve or refuse a tool call',
        description: decisionNote,
        params: ById,
        body: DecideBody,
        response: { 200: Ok(Approval) },
        etag: true,
        errors: ['forbidden', 'already_running', 'conversation_busy'],
      },
    },
    async (request, reply) => {
      const row = await approvals.decide(ctx, request.caller, request.params.id, request.body)
      reply.header('etag', formatEtag(row))
      return ok(present(row, request.caller))
    },
  )
}
