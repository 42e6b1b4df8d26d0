import type { Context } from '../../kernel/context.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { present } from '../runs/events.ts'
import { Message } from '../runs/schema.ts'
import { ByMessage, MessagesQuery, Totals } from './schema.ts'
import * as service from './service.ts'
import { conversationTotals } from './totals.ts'

const tags = ['Conversations']
const config = { may: 'converse' } as const

/** Everybody in the workspace who may converse can call these routes for a shared conversation. */
export function readRoutes(app: App, ctx: Context): void {
  app.get(
    '/conversations/:id/messages',
    {
      config,
      schema: {
        tags,
        summary: 'List the messages of a conversation, oldest first',
        description:
          'The messages of the active branch, or of the one `through` a message. `versions` of a message names the ones beside it.',
        params: ById,
        querystring: MessagesQuery,
        response: { 200: Listed(Message) },
      },
    },
    async (request) => {
      const { rows, total } = await service.messages(ctx, request.caller, request.params.id, request.query)
      return listed({ rows: rows.map(present), total }, request.query)
    },
  )

  app.get(
    '/conversations/:id/messages/:message',
    {
      config,
      schema: { tags, summary: 'Get a message', params: ByMessage, response: { 200: Ok(Message) } },
    },
    async (request) =>
      ok(present(await service.readMessage(ctx, request.caller, request.params.id, request.params.message))),
  )

  app.get(
    '/conversations/:id/totals',
    {
      config,
      schema: {
        tags,
        summary: 'Count the messages, tokens and cost of a conversation',
        description: 'Messages are those of the active branch. Tokens and cost are those of all branches.',
        params: ById,
        response: { 200: Ok(Totals) },
      },
    },
    async (request) => {
      const { id } = await service.read(ctx, request.caller, request.params.id)
      return ok(await conversationTotals(ctx.db, request.caller.workspace, id))
    },
  )
}
