import { Type } from 'typebox'
import { withoutAccess } from '../../../kernel/access.ts'
import { Explanation, PersonQuery, toViewer } from '../../../kernel/access-explanation.ts'
import type { Context } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/http/app.ts'
import { formatDisposition } from '../../../kernel/http/content-disposition.ts'
import { ById, Done, done, Listed, listed, Ok, ok } from '../../../kernel/http/envelope.ts'
import { formatEtag } from '../../../kernel/store/collection.ts'
import { listParameters, PageQuery, type RawListQuery, toListQuery } from '../../../kernel/store/list.ts'
import { KnowledgeDocument } from '../schema.ts'
import { syncDocument, updateDocument } from './changes.ts'
import { explainDocument, explainSource } from './explain.ts'
import { openOriginal } from './original.ts'
import { ByDocument, ContentQuery, DocumentBody, DocumentChunk, DocumentContent, FileQuery } from './schema.ts'
import { getDocument, listDocuments, pageOfChunks, readContent, removeDocument } from './service.ts'

const tags = ['Knowledge sources']
const pdf = 'application/pdf'
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
      const { rows, total } = await listDocuments(ctx, request.caller, request.params.id, query)
      return listed({ rows: rows.map((row) => withoutAccess(row, request.caller)), total }, query)
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
      reply.header('etag', formatEtag(document))
      return ok(withoutAccess(document, request.caller))
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
      ok(await readContent(ctx, request.caller, request.params.id, request.params.document, request.query)),
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
      return listed(await pageOfChunks(ctx, request.caller, id, document, request.query), request.query)
    },
  )

  app.get(
    `${path}/:document/file`,
    {
      ...read,
      schema: {
        tags,
        summary: 'Download a document',
        description:
          'The file as it was uploaded, or the content of a text. Pages of `web` sources and files of `directory` sources are not stored.',
        params: ByDocument,
        querystring: FileQuery,
        content: {
          'application/octet-stream': {
            schema: Type.String({ contentMediaType: 'application/octet-stream' }),
            example: '(the file)',
          },
        },
        responseHeaders: { 'Content-Disposition': 'The name of the file.' },
      },
    },
    async (request, reply) => {
      const { id, document: which } = request.params
      const { document, content } = await openOriginal(ctx, request.caller, id, which)
      const type = document.media_type ?? 'application/octet-stream'
      const isShown = request.query.disposition === 'inline' && type === pdf
      return reply
        .headers({
          'content-type': type,
          'content-disposition': formatDisposition(isShown ? 'inline' : 'attachment', document.name),
          'x-content-type-options': 'nosniff',
          // The content is untrusted, so browsers must not treat it as a page of this service. They do not show PDF files in a sandbox.
          ...(!isShown && { 'content-security-policy': 'sandbox' }),
        })
        .send(content)
    },
  )

  app.put(
    `${path}/:document`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Change the metadata of a document',
        description:
          'Changes an uploaded file or a text; an attachment has the metadata and the access of its mail. Replaces the metadata that was given before; what was read from the file itself stays. A sync then applies it to searches.',
        params: ByDocument,
        body: DocumentBody,
        response: { 200: Ok(KnowledgeDocument) },
        errors: ['precondition_failed'],
        etag: true,
      },
    },
    async (request, reply) => {
      const { id, document: which } = request.params
      const ifMatch = request.headers['if-match']
      const document = await updateDocument(ctx, request.caller, id, which, request.body, ifMatch)
      reply.header('etag', formatEtag(document))
      return ok(document)
    },
  )

  app.get(
    `${path}/:document/access`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Explain who may see a document',
        description: 'Whether a person of the role `viewer` or `user` with this id and these groups sees it, and why.',
        params: ByDocument,
        querystring: PersonQuery,
        response: { 200: Ok(Explanation) },
      },
    },
    async (request) => {
      const { id, document } = request.params
      return ok(await explainDocument(ctx, request.caller, id, document, toViewer(request.query)))
    },
  )

  app.get(
    '/knowledge-sources/:id/access',
    {
      ...write,
      schema: {
        tags,
        summary: 'Explain who may see a source',
        description: 'Whether a person of the role `viewer` or `user` with this id and these groups sees it, and why.',
        params: ById,
        querystring: PersonQuery,
        response: { 200: Ok(Explanation) },
      },
    },
    async (request) => ok(await explainSource(ctx, request.caller, request.params.id, toViewer(request.query))),
  )

  app.post(
    `${path}/:document/sync`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Read a document again',
        description:
          'Even if it has not changed, such as one that failed. Starts a sync of its source, or joins one that runs; the other documents are only checked for changes.',
        params: ByDocument,
        response: { 200: Ok(KnowledgeDocument) },
      },
    },
    async (request) => ok(await syncDocument(ctx, request.caller, request.params.id, request.params.document)),
  )

  app.delete(
    `${path}/:document`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Delete a document',
        description:
          'Deletes the file, its text, its passages and its attachments. A page of a `web` source or a file of a `directory` source that still exists comes back with the next sync.',
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
