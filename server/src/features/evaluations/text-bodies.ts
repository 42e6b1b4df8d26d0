import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Lets the routes of a scope take a file as the body itself; they see it as `{format, content}`. */
export function takeTextFiles(
  scope: Pick<FastifyInstance, 'addContentTypeParser'>,
  formats: Record<string, string>,
): void {
  for (const [type, format] of Object.entries(formats)) {
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, raw: Buffer) => {
      if ('idempotency-key' in request.headers) request.rawBody = raw
      return { format, content: raw.toString('utf8') }
    })
  }
}
