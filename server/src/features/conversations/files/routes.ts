import type { Readable } from 'node:stream'
import type { FastifySchemaCompiler } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import type { App, Request } from '../../../kernel/http/app.ts'
import { formatDisposition } from '../../../kernel/http/content-disposition.ts'
import { disconnectSignal } from '../../../kernel/http/disconnect-signal.ts'
import { ById, created, Done, done, Ok, ok } from '../../../kernel/http/envelope.ts'
import { fingerprint, isRefused, receiveForm, type Upload } from '../../../kernel/http/multipart.ts'
import { isImageType } from '../../runs/history.ts'
import { File, UploadBody } from './schema.ts'
import * as service from './service.ts'

const tags = ['Files']
const config = { may: 'converse' } as const

export function fileRoutes(app: App, ctx: Context): void {
  const validators = app.validatorCompiler as FastifySchemaCompiler<unknown>
  const received = new WeakMap<Request, Upload>()

  app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', async (request: Request, body: Readable) => {
      const upload = await receiveForm(ctx.files, request.headers, body, service.maxFileSize)
      received.set(request, upload)
      if ('idempotency-key' in request.headers) request.rawBody = fingerprint(upload)
      return upload
    })
    ;(scope as unknown as App).post(
      '/files',
      {
        config,
        // The documented body is the form, which is already received.
        validatorCompiler: (part) => validators(part.httpPart === 'body' ? { ...part, schema: Type.Object({}) } : part),
        schema: {
          tags,
          summary: 'Upload a file',
          description:
            'For `attachments` of a message. Images are PNG, JPEG, WebP or GIF of at most 20 MiB; documents are of any format that knowledge sources read. The content decides about the type. A file that no message uses is deleted after 24 hours.',
          body: UploadBody,
          response: { 201: Ok(File) },
          errors: ['unsupported_file_type', 'file_too_large', 'overloaded'],
        },
        // Discards parts of the form that were not stored, also after an error.
        onSend: async (request, _reply, payload) => {
          for (const file of received.get(request)?.files ?? []) if (!isRefused(file)) await ctx.files.discard(file)
          return payload
        },
      },
      async (request, reply) => {
        const form = received.get(request)
        if (form === undefined) throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data.')
        const signal = disconnectSignal(reply)
        return created(reply, await service.upload(ctx, request.caller, service.onlyFile(form), signal))
      },
    )
  })

  app.get(
    '/files/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Get a file',
        description:
          'A token of role `user` sees the files it has uploaded, and those in conversations that it can read.',
        params: ById,
        response: { 200: Ok(File) },
      },
    },
    async (request) => ok(await service.getFile(ctx, request.caller, request.params.id)),
  )

  app.get(
    '/files/:id/content',
    {
      config,
      schema: {
        tags,
        summary: 'Download a file',
        params: ById,
        content: {
          'application/octet-stream': {
            schema: Type.String({ contentMediaType: 'application/octet-stream' }),
            example: '(the file)',
          },
        },
        responseHeaders: {
          'Content-Disposition': 'The name of the file. Images are shown, other files are downloaded.',
          'Content-Security-Policy': 'Keeps browsers from running the file.',
        },
      },
    },
    async (request, reply) => {
      const file = await service.getFile(ctx, request.caller, request.params.id)
      const content = await service.openContent(ctx, file)
      return reply
        .headers({
          'content-type': file.media_type,
          'content-length': file.size,
          'content-disposition': formatDisposition(isImageType(file.media_type) ? 'inline' : 'attachment', file.name),
          'cache-control': 'private, max-age=3600, immutable',
          'x-content-type-options': 'nosniff',
          // The content is untrusted, so no browser may show it as a page of this service.
          'content-security-policy': "default-src 'none'; sandbox",
        })
        .send(content)
    },
  )

  app.delete(
    '/files/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a file',
        description:
          'A file that is attached to a message cannot be deleted (`in_use`). Deleting a conversation deletes the files that only it uses.',
        params: ById,
        response: { 200: Done },
        errors: ['in_use'],
      },
    },
    async (request) => {
      await service.removeFile(ctx, request.caller, request.params.id)
      return done('The file was deleted.')
    },
  )
}
