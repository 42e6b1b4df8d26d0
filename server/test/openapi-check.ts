import { readFileSync } from 'node:fs'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Json } from './json.ts'

const document: Json = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

/** Headers of the connection or of the content, which OpenAPI does not describe. */
const transportHeaders =
  /^(access-control-.*|allow|cache-control|connection|content-(length|type)|date|keep-alive|set-cookie|transfer-encoding|vary|x-accel-buffering|x-content-type-options)$/

// The document itself is validated by a test of the architecture, and most validators are used only a few times.
const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false } }))
ajv.addSchema({ ...closed(document), $id: 'parley' })

/** Objects with declared properties have no others, so that a field that is not documented fails a test. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObject = typeof inner.properties === 'object' && [inner.type].flat().includes('object')
  return isObject && !('additionalProperties' in inner) ? { ...inner, additionalProperties: false } : inner
}

const validators = new Map<string, ValidateFunction>()

/** The first violation of the schema at this place of the document, or null. */
export function violation(place: string[], value: unknown): string | null {
  const { $ref }: { $ref?: string } = at(place)
  const pointer = $ref?.slice(2) ?? place.map(escaped).join('/')
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `parley#/${pointer}` })
  validators.set(pointer, validate)
  if (validate(value)) return null
  const [error] = validate.errors ?? []
  const more = Object.values(error?.params ?? {}).join(', ')
  return `${error?.instancePath || '/'} ${error?.message} (${more})`
}

/** Follows a reference. */
export const resolved = (part: Json): Json => (part.$ref ? at(part.$ref.split('/').slice(1)) : part)

const at = (place: string[]): Json => place.reduce((part: Json, key) => part[key], document)
const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

const paths = Object.keys(document.paths)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

const routePath = (url: string): string | undefined => {
  const { pathname } = new URL(url)
  return paths.find(({ pattern }) => pattern.test(pathname.replace(/^\/api\/v1\//, '/api/')))?.path
}

/** A response without its body. */
type Received = Pick<Response, 'url' | 'status' | 'headers'>

/** Throws if a response is not as openapi.json describes it. Responses of unknown routes are not described. */
export function checkResponse(method: string, response: Received, text: string): void {
  const path = routePath(response.url)
  const operation = path === undefined ? undefined : document.paths[path][method.toLowerCase()]
  if (path === undefined || operation === undefined) return
  const wrong = wrongWith(path, method.toLowerCase(), operation, response, text)
  if (wrong === null) return
  const name = `${method} ${path} → ${response.status}`
  throw new Error(`${name}: ${wrong}. openapi.json does not describe this response (npm run openapi updates it).`)
}

function wrongWith(path: string, method: string, operation: Json, response: Received, text: string): string | null {
  const declared = operation.responses[response.status]
  if (declared === undefined) return `the status is not documented: ${text.slice(0, 500)}`
  const place = declared.$ref
    ? declared.$ref.split('/').slice(1)
    : ['paths', path, method, 'responses', `${response.status}`]
  const { headers = {}, content } = at(place)
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  for (const name of response.headers.keys()) {
    if (!names.includes(name) && !transportHeaders.test(name)) return `the header ${name} is not documented`
  }
  for (const [name, header] of Object.entries<Json>(headers)) {
    const { required, schema } = resolved(header)
    const value = response.headers.get(name)
    if (value === null && required) return `the header ${name} is missing`
    if (value !== null && schema.type === 'integer' && !/^\d+$/.test(value))
      return `${name} is not an integer: ${value}`
    if (value !== null && schema.pattern && !new RegExp(schema.pattern).test(value)) return `${name} is ${value}`
  }
  const type = response.headers.get('content-type')?.split(';')[0]
  if (content === undefined) return text === '' ? null : `no content is documented, but there is ${type}`
  if (!(type && type in content)) return `the content type ${type} is not documented`
  const schemaPlace = [...place, 'content', type, 'schema']
  if (/[/+]json$/.test(type)) return violation(schemaPlace, JSON.parse(text))
  if (type !== 'application/x-ndjson') return null
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => violation([...schemaPlace, 'contentSchema'], JSON.parse(line))).find(Boolean) ?? null
}

/** Throws if the data of an event is not as openapi.json describes it. */
export function checkEvent(url: string, data: unknown): void {
  const path = routePath(url)
  if (path === undefined) return
  for (const { responses } of Object.values<Json>(document.paths[path])) {
    const schema = resolved(responses[200] ?? {}).content?.['text/event-stream']?.schema
    if (!schema) continue
    const wrong = violation(schema.$ref.split('/').slice(1), data)
    if (wrong)
      throw new Error(`An event of ${path}: ${wrong}. openapi.json does not describe it: ${JSON.stringify(data)}`)
  }
}
