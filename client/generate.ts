import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const document = new URL('../openapi.json', import.meta.url)
const target = new URL('src/schema.ts', import.meta.url)

const heading = '// Written by `npm run client` from openapi.json. Do not edit it: change the routes instead.\n'

/** The types of every route and shape, as the OpenAPI document has them now. */
export async function schemaText(): Promise<string> {
  const nodes = await openapiTS(JSON.parse(readFileSync(document, 'utf8')), {
    alphabetize: true,
    defaultNonNullable: false,
    exportType: false,
  })
  return heading + astToString(nodes)
}

if (import.meta.main) writeFileSync(target, await schemaText())
