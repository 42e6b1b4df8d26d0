import type { Readable } from 'node:stream'
import type { FastifySchemaCompiler } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import type { App, Request } from '../../../kernel/http/app.ts'
import { ById, created, Ok } from '../../../kernel/http/envelope.ts'
import { fingerprint, isRefused, receiveForm, type Upload } from '../../../kernel/http/multipart.ts'
import { maxFileSize } from '../file-types.ts'
import { KnowledgeDocument, UploadBody, UploadQuery } from '../schema.ts'
import { storeUpload, uploadTarget } from './service.ts'

const Fields = Type.Object({ metadata: UploadBody.properties.metadata, access: UploadBody.properties.access })

/** The form is received by the content type parser, so that the idempotency key is compared with its content. */
export function uploadRoutes(app: App, ctx: Context): void {
  const validators = app.validatorCompiler as FastifySchemaCompiler<unknown>
  const received = new WeakMap<Request, Upload>()

  app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', async (request: Request, body: Readable) => {
      const { configuration } = await uploadTarget(ctx, request.caller, (request.params as { id: string }).id)
      const upload = await receiveForm(ctx.files, request.headers, body, maxFileSize(configuration))
      received.set(request, upload)
      if ('idempotency-key' in request.headers) request.rawBody = fingerprint(upload)
      return upload
    })
    ;(scope as unknown as App).post(
      '/knowledge-sources/:id/documents',
      {
        config: { may: 'write-configuration' },
        // The schema documents the whole form, but files are not part of the parsed body, so only the fields are validated.
        validatorCompiler: (part) => validators(part.httpPart === 'body' ? { ...part, schema: Fields } : part),
        schema: {
          tags: ['Knowledge sources'],
          summary: 'Upload documents',
          description:
            'Uploads one or more files. A file replaces the document of the same name, which stays searchable until the new one is. The sync starts by itself. A file that is empty, too large or of a type that the source does not accept gets the status `failed` with the reason in `error`, and the others are taken; if none can be taken, the request fails.',
          params: ById,
          querystring: UploadQuery,
          body: UploadBody,
          response: { 201: Ok(Type.Array(KnowledgeDocument)) },
          errors: ['unsupported_file_type', 'file_too_large', 'overloaded'],
        },
        // Also after an error: discard files that became no document.
        onSend: async (request, _reply, payload) => {
          for (const file of received.get(request)?.files ?? []) if (!isRefused(file)) await ctx.files.discard(file)
          return payload
        },
      },
      async (request, reply) => {
        const upload = received.get(request)
        const target = await uploadTarget(ctx, request.caller, request.params.id)
        if (upload === undefined) throw new Problem('unsupported_media_type', 'Send files as multipart/form-data.')
        const documents = await storeUpload(ctx, request.caller, target, upload, request.query.sync)
        return created(reply, documents)
      },
    )
  })
}
