import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

import staticFiles from '@fastify/static'
import type { App } from '../../kernel/http/app.ts'
import { openapiDocument } from '../../kernel/http/openapi/document.ts'
import type { DocumentedRoute } from '../../kernel/http/openapi/routes.ts'
import { header } from './layout.ts'
import type { DocsAssets } from './site.ts'

const publicFiles = { may: 'public', unlimited: true } as const
const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

const page = (title: string, { style, script }: DocsAssets) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="${style}">
<script src="${script}"></script>
</head>
<body class="reference">
${header('/docs/reference')}
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`

/** Serves the OpenAPI document and Swagger UI. Nothing is loaded from another host. */
export async function serveApiReference(
  app: App,
  routes: readonly DocumentedRoute[],
  version: string,
  assets: DocsAssets,
): Promise<void> {
  let text: string | undefined
  const config = { may: 'public' } as const

  app.get(
    '/api/openapi.json',
    {
      config,
      schema: {
        tags: ['Health and status'],
        summary: 'This document',
        description: 'It needs no token. Generate a client from it, or import it into an API tool.',
        response: { 200: { type: 'object', additionalProperties: true } },
      },
    },
    async (_request, reply) => {
      text ??= JSON.stringify(openapiDocument(routes, version))
      return reply
        .type('application/json; charset=utf-8')
        .serializer(String)
        .send(text as never)
    },
  )

  const hidden = { config: publicFiles, schema: { hide: true } }
  const html = page(`API reference · Parley ${version}`, assets)
  const script = readFileSync(new URL('reference.js', import.meta.url), 'utf8')
  app.get('/docs/reference', hidden, (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html),
  )
  app.get('/docs/reference.js', hidden, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  await app.register(staticFiles, { root: swaggerFolder, serve: false })
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    app.get(`/docs/${file}`, hidden, (_request, reply) => reply.sendFile(file, { maxAge: '1d' }))
  }
}
