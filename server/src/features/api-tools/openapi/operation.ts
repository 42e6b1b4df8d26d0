import { toToolName } from '../../../kernel/agent/tool-names.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { splitUrl } from '../request/build.ts'
import type { Auth, Method, QueryTemplate } from '../schema.ts'
import { type Body, readBody } from './body.ts'
import { follow, listIn, type Node, OperationProblem, textIn } from './references.ts'
import { SchemaReader } from './schemas.ts'
import { readAuth } from './security.ts'
import { type DocumentLocation, operationUrl, resolveAgainst } from './servers.ts'

/** The tool that an operation can become. */
export interface Draft {
  operation: string
  operationId: string | null
  name: string
  description: string
  method: Method
  url: string
  parameters: Record<string, unknown>
  headers: Record<string, string>
  query: QueryTemplate
  body: unknown
  auth: Auth
  notes: string[]
}

interface Document extends DocumentLocation {
  document: Node
  /** Schemas of OpenAPI 3.0 differ from JSON Schema. */
  isVersion30: boolean
  /** Overrides the authentication in the document. */
  auth: Auth | null
}

const maxSchemaLength = 100_000
const maxParameters = 500

export function readOperation(source: Document, method: Method, path: string, item: Node, operation: Node): Draft {
  const { document } = source
  const schemas = new SchemaReader(document, source.isVersion30)
  const args = new Arguments()
  const draft = { headers: {} as Record<string, string>, query: {} as QueryTemplate }
  const inPath = new Map<string, string>()
  for (const parameter of readParameters(document, path, item, operation)) {
    const name = textIn(parameter, 'name') ?? ''
    const location = parameter.in
    if (location === 'cookie') {
      if (parameter.required === true)
        throw new OperationProblem(`requires the cookie "${name}"; cookies are not supported`)
      continue
    }
    if (location === 'header' && /^(accept|content-type|authorization)$/i.test(name)) continue
    const { schema, form } = parameterShape(parameter, schemas)
    const argument = args.add(name, String(location), schema, parameter.required === true || location === 'path')
    if (location === 'path') inPath.set(name, argument)
    else if (location === 'query') draft.query[queryName(parameter, schema)] = `{${argument}${form}}`
    else if (location === 'header') draft.headers[name] = `{${argument}}`
  }
  const body = readBody(document, operation, schemas, args.names())
  takeBody(body, args, draft.headers)
  const url = `${operationUrl(source, item, operation)}${pathWith(inPath, path)}`
  splitUrl(url)
  const templates = { method, url, ...draft, body: body?.template ?? null }
  const parameters = args.schema(schemas.definitions())
  if (JSON.stringify(parameters).length > maxSchemaLength)
    throw new OperationProblem('has parameters whose schema is too large')
  return {
    operation: `${method} ${path}`,
    operationId: textIn(operation, 'operationId') ?? null,
    name: toToolName(textIn(operation, 'operationId') ?? `${method.toLowerCase()} ${path}`),
    description: operationDescription(operation, `${method} ${path}`),
    ...templates,
    parameters,
    auth: source.auth ?? readAuth(document, operation, (to) => resolveAgainst(source, to)),
    notes: [...schemas.notes, ...(operation.deprecated === true ? ['The operation is deprecated.'] : [])],
  }
}

function takeBody(body: Body | null, args: Arguments, headers: Record<string, string>): void {
  if (!body) return
  for (const { name, schema, required } of body.arguments) args.add(name, 'body', schema, required)
  if (body.contentType !== 'application/json') headers['content-type'] = body.contentType
}

const pathParameter = /\{([^{}]+)\}/g

/** Some documents distinguish operations of one path by a fragment, which is not part of the URL. */
const pathWith = (names: Map<string, string>, path: string): string =>
  path.replace(/#.*$/, '').replace(pathParameter, (whole, name: string) => `{${names.get(name) ?? whole}}`)

/** Parameters of the operation override those of its path. Undeclared ones in the path are strings. */
function readParameters(document: Node, path: string, item: Node, operation: Node): Node[] {
  const all = new Map<string, Node>()
  for (const [, name] of path.replace(/#.*$/, '').matchAll(pathParameter))
    all.set(`path ${name}`, { name, in: 'path', schema: { type: 'string' } })
  for (const each of [...listIn(item, 'parameters'), ...listIn(operation, 'parameters')]) {
    const parameter = follow(document, each)
    if (textIn(parameter, 'name') !== undefined)
      all.set(`${String(parameter.in)} ${textIn(parameter, 'name')}`, parameter)
  }
  if (all.size > maxParameters) throw new OperationProblem(`has more than ${maxParameters} parameters`)
  return [...all.values()]
}

/** The items of a list in the style `deepObject` are sent as `name[]`. */
function queryName(parameter: Node, schema: Node): string {
  const name = textIn(parameter, 'name') ?? ''
  const isDeepList = parameter.style === 'deepObject' && [schema.type].flat().includes('array')
  return isDeepList && !name.endsWith('[]') ? `${name}[]` : name
}

const delimiters = new Map(Object.entries({ spaceDelimited: ':ssv', pipeDelimited: ':pipes' }))

/** The schema of a parameter, and its format in the template. */
function parameterShape(parameter: Node, schemas: SchemaReader): { schema: Node; form: string } {
  const name = textIn(parameter, 'name') ?? ''
  const style = textIn(parameter, 'style')
  if (parameter.in === 'path' && style !== undefined && style !== 'simple')
    throw new OperationProblem(`has the parameter "${name}" in the style "${style}", which is not supported`)
  const [media] = Object.values(schemas.followIn(parameter, 'content')).filter(isObject)
  const schema = schemas.read(media ? media.schema : parameter.schema)
  const description = textIn(parameter, 'description')?.slice(0, 1000).toWellFormed()
  const described = { ...schema, ...(description !== undefined && description !== '' && { description }) }
  if (parameter.in !== 'query') return { schema: described, form: '' }
  if (media) return { schema: described, form: ':json' }
  const joined = parameter.explode === false && [schema.type].flat().includes('array')
  if (style === 'form' || style === undefined) {
    if ([schema.type].flat().includes('object'))
      schemas.notes.add(`The fields of "${name}" are sent as ${name}[field].`)
    return { schema: described, form: joined ? ':csv' : '' }
  }
  return { schema: described, form: delimiters.get(style) ?? '' }
}

function operationDescription(operation: Node, fallback: string): string {
  const summary = textIn(operation, 'summary')?.trim() ?? ''
  const description = textIn(operation, 'description')?.trim() ?? ''
  const text = description.startsWith(summary) ? description : [summary, description].filter(Boolean).join('\n\n')
  return (text || summary || fallback).slice(0, 2000).toWellFormed()
}

/** The arguments of an operation, with unique names that models and templates accept. */
class Arguments {
  readonly #properties = new Map<string, Node>()
  readonly #required: string[] = []

  add(name: string, location: string, schema: Node, required: boolean): string {
    const wanted =
      name
        .replace(/[^A-Za-z0-9_.-]+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 64) || location
    let own = wanted
    for (let more = 1; this.#properties.has(own); more++)
      own = more === 1 ? `${wanted}_${location}` : `${wanted}_${location}_${more}`
    this.#properties.set(own, schema)
    if (required) this.#required.push(own)
    return own
  }

  names(): string[] {
    return [...this.#properties.keys()]
  }

  schema(definitions: Node): Node {
    return {
      type: 'object',
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length > 0 && { required: this.#required }),
      additionalProperties: false,
      ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
    }
  }
}
