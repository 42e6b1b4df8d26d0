import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { methodsText, type OpenApi } from './generate-methods.ts'

const document = new URL('../openapi.json', import.meta.url)
const schemaFile = new URL('src/schema.ts', import.meta.url)
const methodsFile = new URL('src/methods.ts', import.meta.url)

const heading = '// Generated from openapi.json by `npm run client`. Do not edit.\n'

/** The generated files of the client. */
export async function generatedFiles(): Promise<{ file: URL; text: string }[]> {
  const openapi = JSON.parse(readFileSync(document, 'utf8'))
  return [
    { file: schemaFile, text: heading + (await schemaText(openapi)) },
    { file: methodsFile, text: heading + methodsText(openapi) },
  ]
}

/** The types of every route and schema of openapi.json, and its table of permissions. */
async function schemaText(openapi: OpenApi & OpenAPI3 & { 'x-permissions': object }): Promise<string> {
  const nodes = await openapiTS(openapi, {
    alphabetize: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true, // an object without declared fields takes any, not none
    exportType: false,
  })
  const permissions = JSON.stringify(openapi['x-permissions'], null, 4)
  const types = astToString(nodes).replaceAll('@description ', '') // editors show a tag after its name
  return `${types}export const permissions = ${permissions} as const;\n`
}

if (import.meta.main) for (const { file, text } of await generatedFiles()) writeFileSync(file, text)
