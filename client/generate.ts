import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const document = new URL('../openapi.json', import.meta.url)
const target = new URL('src/schema.ts', import.meta.url)

const heading = '// Generated from openapi.json by `npm run client`. Do not edit.\n'

/** The types of every route and schema of openapi.json, and its table of permissions. */
export async function schemaText(): Promise<string> {
  const openapi = JSON.parse(readFileSync(document, 'utf8'))
  const nodes = await openapiTS(openapi, {
    alphabetize: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true, // an object without declared fields takes any, not none
    exportType: false,
  })
  const permissions = JSON.stringify(openapi['x-permissions'], null, 4)
  return `${heading}${astToString(nodes)}export const permissions = ${permissions} as const;\n`
}

if (import.meta.main) writeFileSync(target, await schemaText())
