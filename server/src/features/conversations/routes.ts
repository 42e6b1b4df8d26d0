import { Readable } from 'node:stream'
import type { Context } from '../../kernel/context.ts'
import type { App, Reply } from '../../kernel/http/app.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { jsonLines } from '../../kernel/http/media-types.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { formatEtag } from '../../kernel/store/collection.ts'
import { type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { present } from '../runs/events.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { exportLines } from './export.ts'
import { fileRoutes } from './files/routes.ts'
import { messageRoutes } from './message-routes.ts'
import { readRoutes } from './read-routes.ts'
import { ConversationView, ConversationWithMessages, ExportQuery, ListedConversation } from './schema.ts'
import { conversationFilters } from './search/filters.ts'
import * as service from './service.ts'
import { tryRoutes } from './try/routes.ts'
import { hiddenFields, presentConversation } from './variables.ts'

const tags = ['Conversations']
const config = { may: 'converse' } as const

export function routes(app: App, ctx: Context): void {
  resourceRoutes(app, ctx, {
    path: '/conversations',
    title: 'Conversation',
    tag: 'Conversations',
    shape: ConversationView,
    listShape: ListedConversation,
    filters: conversationFilters,
    oneShape: ConversationWithMessages,
    createdShape: ConversationWithMessages,
    service: {
      ...service.conversations,
      create: async (_, who, body) => ({ ...(await service.conversations.create(ctx, who, body)), messages: [] }),
    },
    one: async (who, id) => {
      const { messages, ...conversation } = await service.withMessages(ctx, who, id)
      return { ...conversation, messages: messages.map(present) }
    },
    present: presentConversation,
    hidden: hiddenFields,
    read: 'converse',
    write: 'converse',
    createErrors: ['unknown_reference'],
    updateErrors: ['conversation_busy', 'conversation_completed'],
    example: { agent_id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc', user_id: 'ada' },
    change: { title: 'About the invoice' },
  })

  app.get(
    '/conversations/export',
    {
      config,
      schema: {
        tags,
        summary: 'Get all conversations with their messages',
        description: 'A JSON object on each line, oldest first, as GET of one shows it but with every message.',
        querystring: ExportQuery,
        content: jsonLines(ConversationWithMessages),
        responseHeaders: { 'Content-Disposition': 'The name of the file.' },
      },
    },
    async (request, reply) => {
      const { q, where, ranges } = toListQuery(request.query as RawListQuery)
      reply.header('content-type', 'application/x-ndjson; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="conversations.jsonl"')
      const lines = Readable.from(exportLines(ctx, request.caller, { where, q, ranges: ranges ?? [] }))
      void (reply as Reply).send(lines)
      return reply
    },
  )

  readRoutes(app, ctx)
  tryRoutes(app, ctx)
  fileRoutes(app, ctx)
  approvalRoutes(app, ctx)

  messageRoutes(app, ctx)

  app.post(
    '/conversations/:id/complete',
    {
      config,
      schema: {
        tags,
        summary: 'Complete a conversation',
        params: ById,
        response: { 200: Ok(ConversationView) },
        etag: true,
        errors: ['conversation_busy'],
      },
    },
    async (request, reply) => {
      const row = await service.complete(ctx, request.caller, request.params.id)
      reply.header('etag', formatEtag(row))
      return ok(presentConversation(row, request.caller))
    },
  )
}
