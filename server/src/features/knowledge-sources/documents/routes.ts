import type { Context } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/http/app.ts'
import { ById, Done, done, Listed, listed, Ok, ok } from '../../../kernel/http/envelope.ts'
import { etagOf } from '../../../kernel/store/collection.ts'
import { listParameters, PageQuery, type RawListQuery, toListQuery } from '../../../kernel/store/list.ts'
import { ByDocument, ContentQuery, DocumentChunk, DocumentContent, KnowledgeDocument } from '../schema.ts'
import { chunksOf, contentOf, getDocument, listDocuments, removeDocument } from './service.ts'

const tags = ['Knowledge sources']
const path = '/knowledge-sources/:id/documents'
const read = { config: { may: 'read-configuration' } } as const
const write = { config: { may: 'write-configuration' } } as const

export function documentRoutes(app: App, ctx: Context): void {
  app.get(
    path,
    {
      ...read,
      schema: {
        tags,
        summary: 'List the documents of a source',
        params: ById,
        querystring: listParameters(KnowledgeDocument, ['knowledge_source_id']),
        response: { 200: Listed(KnowledgeDocument) },
      },
    },
    async (request) => {
      const query = toListQuery(request.query as RawListQuery)
      return listed(await listDocuments(ctx, request.caller, request.params.id, query), query)
    },
  )

  app.get(
    `${path}/:document`,
    {
      ...read,
      schema: { tags, summary: 'Get a document', params: ByDocument, response: { 200: Ok(KnowledgeDocument) } },
    },
    async (request, reply) => {
      const document = await getDocument(ctx, request.caller, request.params.id, request.params.document)
      reply.header('etag', etagOf(document))
      return ok(document)
    },
  )

  app.get(
    `${path}/:document/content`,
    {
      ...read,
      schema: {
        tags,
        summary: 'Get the text of a document, or a part of it',
        description: 'The parsed text. The `start` and `end` of search results and citations are positions in it.',
        params: ByDocument,
        querystring: ContentQuery,
        response: { 200: Ok(DocumentContent) },
      },
    },
    async (request) =>
      ok(await contentOf(ctx, request.caller, request.params.id, request.params.document, request.query)),
  )

  app.get(
    `${path}/:document/chunks`,
    {
      ...read,
      schema: {
        tags,
        summary: 'List the passages of a document',
        description:
          "The passages in the source's default index, in the order of the text. Neighbours may overlap. Tools with another `chunk_size` split the text differently.",
        params: ByDocument,
        querystring: PageQuery,
        response: { 200: Listed(DocumentChunk) },
      },
    },
    async (request) => {
      const { id, document } = request.params
      return listed(await chunksOf(ctx, request.caller, id, document, request.query), request.query)
    },
  )

  app.delete(
    `${path}/:document`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Delete a document',
        description:
          'Deletes the file, its text and its passages. A page of a `web` source or a file of a `directory` source that still exists comes back with the next sync.',
        params: ByDocument,
        response: { 200: Done },
        errors: ['precondition_failed'],
      },
    },
    async (request) => {
      const { id, document } = request.params
      await removeDocument(ctx, request.caller, id, document, request.headers['if-match'])
      return done('The document was deleted.')
    },
  )
}
