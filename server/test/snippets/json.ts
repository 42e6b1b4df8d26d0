import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Json } from '../harness.ts'
import { type Block, root } from './blocks.ts'

const document: Json = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))

/** An example may leave fields out, but has none that do not exist. */
const asExample = (schema: Json, isBody: boolean): Json => {
  if (Array.isArray(schema)) return schema.map((each) => asExample(each, isBody))
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, asExample(value, isBody)]))
  if (!isBody && Array.isArray(inner.required)) delete inner.required
  const isObject = typeof inner.properties === 'object' && [inner.type].flat().includes('object')
  return isObject && !('additionalProperties' in inner) ? { ...inner, additionalProperties: false } : inner
}

const schemas = (isBody: boolean) =>
  addFormats
    .default(new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true } }))
    .addSchema({ ...asExample(document, isBody), $id: 'parley' })

const bodies = schemas(true)
const responses = schemas(false)

/**
 * `json POST /api/agents` is a body of that route, `json 200 GET /api/agents` a response (or its `data`), `json Agent` a
 * schema of the OpenAPI document; JSON without such words is only parsed.
 */
export function checkJson({ about, code }: Block): void {
  const value = JSON.parse(code)
  const [, status, method = '', path = ''] = /^(?:(\d+) )?([A-Z]+) (\S+)$/.exec(about) ?? []
  if (path !== '') {
    const verb = method.toLowerCase()
    if (document.paths[path]?.[verb] === undefined) throw new Error(`There is no route ${method} ${path}`)
    const part = status === undefined ? 'requestBody' : `responses/${status}`
    const shared: string | undefined = status && document.paths[path][verb].responses[status].$ref?.slice('#/'.length)
    const pointer = `${shared ?? `paths/${escaped(path)}/${verb}/${part}`}/content/${escaped('application/json')}/schema`
    const isWhole = status === undefined || 'success' in value
    check(status === undefined ? bodies : responses, isWhole ? pointer : `${pointer}/properties/data`, value)
  } else if (about !== '') check(responses, `components/schemas/${about}`, value)
}

function check(ajv: Ajv2020, pointer: string, value: unknown): void {
  const validate = ajv.compile({ $ref: `parley#/${pointer}` })
  if (!validate(value)) throw new Error(JSON.stringify(validate.errors, null, 2))
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
