import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { type App, mebibyte, type Request } from '../../../kernel/http/app.ts'
import { ById } from '../../../kernel/http/envelope.ts'
import { InputItems, InputItemsQuery, Item } from '../responses/schema.ts'
import { toPage } from '../responses/service.ts'
import {
  AddItems,
  ByItem,
  CreateConversation,
  DeletedConversation,
  Include,
  OpenAiConversation,
  UpdateConversation,
} from './schema.ts'
import {
  addItems,
  createConversation,
  deleteConversation,
  deleteItem,
  getConversation,
  getItem,
  listItems,
  updateConversation,
} from './service.ts'

const tags = ['OpenAI-compatible API']
const config = { may: 'converse' } as const
const bodyLimit = 4 * mebibyte
const IncludeQuery = Type.Object({ include: Include }, { additionalProperties: false })
const ItemsQuery = Type.Object({ ...InputItemsQuery.properties, include: Include }, { additionalProperties: false })
const requestOrigin = ({ protocol, host }: Request): string => `${protocol}://${host}`

/** OpenAI's Conversations API. */
export function conversationRoutes(app: App, ctx: Context): void {
  app.post(
    '/openai/v1/conversations',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        summary: 'Create a conversation for responses',
        description:
          "OpenAI's Conversations API. The first response with `conversation` names the agent; from then on it is a conversation as every other. Items wait for the next response, which answers them.",
        body: CreateConversation,
        response: { 200: OpenAiConversation },
      },
    },
    async (request) => createConversation(ctx, request.caller, request.body),
  )

  app.get(
    '/openai/v1/conversations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Get a conversation for responses',
        params: ById,
        response: { 200: OpenAiConversation },
      },
    },
    async (request) => getConversation(ctx, request.caller, request.params.id),
  )

  app.post(
    '/openai/v1/conversations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change the metadata of a conversation',
        params: ById,
        body: UpdateConversation,
        response: { 200: OpenAiConversation },
      },
    },
    async (request) => updateConversation(ctx, request.caller, request.params.id, request.body.metadata),
  )

  app.delete(
    '/openai/v1/conversations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a conversation with its items',
        params: ById,
        response: { 200: DeletedConversation },
        errors: ['conversation_busy'],
      },
    },
    async (request) => {
      const { id } = request.params
      await deleteConversation(ctx, request.caller, id)
      return { id, object: 'conversation.deleted' as const, deleted: true }
    },
  )

  app.get(
    '/openai/v1/conversations/:id/items',
    {
      config,
      schema: {
        tags,
        summary: 'List the items of a conversation',
        params: ById,
        querystring: ItemsQuery,
        response: { 200: InputItems },
      },
    },
    async (request) => {
      const items = await listItems(ctx, request.caller, request.params.id, requestOrigin(request))
      return toPage(items, request.query)
    },
  )

  app.post(
    '/openai/v1/conversations/:id/items',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        summary: 'Add items to a conversation',
        description:
          'The next response answers them. What an agent said or called can be added only before the first response.',
        params: ById,
        querystring: IncludeQuery,
        body: AddItems,
        response: { 200: InputItems },
      },
    },
    async (request) => {
      const items = await addItems(ctx, request.caller, request.params.id, request.body.items)
      return toPage(items, { limit: items.length, order: 'asc' })
    },
  )

  app.get(
    '/openai/v1/conversations/:id/items/:item',
    {
      config,
      schema: {
        tags,
        summary: 'Get an item of a conversation',
        params: ByItem,
        querystring: IncludeQuery,
        response: { 200: Item },
      },
    },
    async (request) => {
      const { id, item } = request.params
      return getItem(ctx, request.caller, id, item, requestOrigin(request))
    },
  )

  app.delete(
    '/openai/v1/conversations/:id/items/:item',
    {
      config,
      schema: {
        tags,
        summary: 'Delete an item of a conversation',
        description:
          'Removes its text. The message of a reply takes the calls of the reply with it; a call alone cannot be deleted.',
        params: ByItem,
        response: { 200: OpenAiConversation },
        errors: ['conversation_busy'],
      },
    },
    async (request) => {
      const { id, item } = request.params
      return deleteItem(ctx, request.caller, id, item, requestOrigin(request))
    },
  )
}
