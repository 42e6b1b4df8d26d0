// Writes openapi.json at the root of the project from the routes as they are now.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createParley } from './app.ts'
import { readConfig } from './kernel/config.ts'
import { openapiDocument } from './kernel/http/openapi/document.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-openapi-'))
const parley = await createParley(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', DEMO: 'false' }))
const document = openapiDocument(parley.routes, parley.ctx.version)
writeFileSync(new URL('../../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
await parley.close(0)
rmSync(folder, { recursive: true })
