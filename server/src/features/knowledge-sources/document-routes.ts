import type { Readable } from 'node:stream'
import type { FastifySchemaCompiler } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { App, Request } from '../../kernel/http/app.ts'
import { ById, created, Done, done, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { etagOf } from '../../kernel/store/collection.ts'
import { listParameters, PageQuery, type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { mostBytesOf } from './accepted-types.ts'
import { chunksOf, contentOf, getDocument, listDocuments, removeDocument } from './documents.ts'
import { fingerprint, receiveForm } from './multipart.ts'
import {
  ByDocument,
  ContentQuery,
  DocumentChunk,
  DocumentContent,
  DocumentMetadata,
  KnowledgeDocument,
  UploadBody,
  UploadQuery,
} from './schema.ts'
import { storeUpload, type Upload, uploadTarget } from './uploads.ts'

const tags = ['Knowledge sources']
const path = '/knowledge-sources/:id/documents'
const read = { config: { may: 'read-configuration' } } as const
const write = { config: { may: 'write-configuration' } } as const
const Labels = Type.Object({ metadata: Type.Optional(DocumentMetadata) })

export function documentRoutes(app: App, ctx: Context): void {
  uploadRoute(app, ctx)

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
        description: 'The text as it was read. The `start` and `end` of a search result or a citation count in it.',
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
        summary: 'List the passages that a document was cut into',
        description:
          "As the source's default index holds them, in the order of the text; neighbours may overlap. Tools with another `chunk_size` cut anew.",
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
          'Removes the file, its text and what indexes hold of it. What is still at its place in a `web` or `directory` source comes back with the next sync.',
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

/** The form is taken in before anything else looks at the request, so that a repeated one is known by what it holds. */
function uploadRoute(app: App, ctx: Context): void {
  const validators = app.validatorCompiler as FastifySchemaCompiler<unknown>
  const received = new WeakMap<Request, Upload>()

  app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', async (request: Request, body: Readable) => {
      const { configuration } = await uploadTarget(ctx, request.caller, (request.params as { id: string }).id)
      const upload = await receiveForm(ctx.files, request.headers, body, mostBytesOf(configuration))
      received.set(request, upload)
      if ('idempotency-key' in request.headers) request.rawBody = fingerprint(upload)
      return upload
    })
    ;(scope as unknown as App).post(
      path,
      {
        ...write,
        // The body that is documented is the form; of what was made of it, only the labels need a look.
        validatorCompiler: (given) => validators(given.httpPart === 'body' ? { ...given, schema: Labels } : given),
        schema: {
          tags,
          summary: 'Upload documents',
          description:
            'One or many files. A file of the same name replaces the one before, which stays searchable until the new one is. Reading begins by itself.',
          params: ById,
          querystring: UploadQuery,
          body: UploadBody,
          response: { 201: Ok(Type.Array(KnowledgeDocument)) },
          errors: ['unsupported_file_type', 'file_too_large', 'overloaded'],
        },
        // Whoever answered, nothing stays of files that became no document.
        onSend: async (request, _reply, payload) => {
          for (const file of received.get(request)?.files ?? []) await ctx.files.discard(file)
          return payload
        },
      },
      async (request, reply) => {
        const upload = received.get(request)
        const target = await uploadTarget(ctx, request.caller, request.params.id)
        if (upload === undefined) throw new Problem('unsupported_media_type', 'Files are sent as multipart/form-data.')
        const documents = await storeUpload(ctx, request.caller, target, upload, request.query.sync)
        return created(reply, documents)
      },
    )
  })
}
