import { methodNames } from './method-names.ts'

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema: { type?: string }
}

interface Schema {
  type?: string
  properties?: Record<string, Schema>
}

interface Operation {
  summary: string
  description?: string
  parameters: Parameter[]
  requestBody?: { required: boolean }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
}

const imports = `import type { Http, RequestOptions } from './http.ts'
import { paginate } from './pages.ts'
import { segment } from './segment.ts'
import type { ListRow, RequestBody, RequestQuery, ResponseData } from './types.ts'
`

/** The methods that are one request each: a function for each resource, which returns them. */
export function methodsText(openapi: OpenApi): string {
  const resources = Object.entries(methodNames).map(([resource, names]) => {
    const methods = Object.entries(names).map(([name, route]) => method(openapi, name, route))
    return `export const ${resource} = (http: Http) => ({\n${methods.join('')}})\n`
  })
  return [imports, ...resources].join('\n')
}

function method(openapi: OpenApi, name: string, route: string): string {
  const [verb = '', path = ''] = route.split(' ')
  const operation = openapi.paths[`/api${path}`]?.[verb.toLowerCase()]
  if (!operation) throw new Error(`There is no route ${route} in openapi.json.`)
  const declared = operation.parameters.map((each) => resolved(openapi, each))
  const hasQuery = declared.some((each) => each.in === 'query')
  const { requestBody } = operation
  const types = { path: `'${path}'`, both: `'${path}', '${verb.toLowerCase()}'` }
  const parameters = [
    ...declared.flatMap((each) => (each.in === 'path' ? `${each.name}: ${tsType(each)}` : [])),
    ...(requestBody ? [`body${requestBody.required || verb === 'PUT' ? '' : '?'}: RequestBody<${types.both}>`] : []),
    ...(hasQuery ? [`query?: RequestQuery<${types.both}>`] : []),
    'options?: RequestOptions',
  ]
  const request = [...(hasQuery ? ['query'] : []), ...(requestBody ? ['body'] : [])]
  const url = path.includes('{') ? `\`${path.replace(/\{(\w+)\}/g, (_, id) => `\${segment(${id})}`)}\`` : types.path
  const sent = request.length === 0 ? 'options' : `{ ...options, ${request.join(', ')} }`
  const call = () => {
    if (isList(openapi, operation)) return `paginate<ListRow<${types.path}>>(http, ${url}, query, options)`
    if (verb === 'DELETE') return `http.json<unknown>('DELETE', ${url}, ${sent}).then(() => {})`
    return `http.data<ResponseData<${types.both}>>('${verb}', ${url}, ${sent})`
  }
  return `${comment(operation)}  ${name}: (${parameters.join(', ')}) =>\n    ${call()},\n`
}

const tsType = ({ schema }: Parameter): string => (schema.type === 'integer' ? 'number' : 'string')

/** Whether the response is a page of rows. */
function isList(openapi: OpenApi, { responses }: Operation): boolean {
  const { content } = resolved(openapi, responses[200] ?? {})
  const { data, pagination } = content?.['application/json']?.schema.properties ?? {}
  return pagination !== undefined && data?.type === 'array'
}

function resolved<Part extends { $ref?: string }>(openapi: OpenApi, part: Part): Part {
  if (part.$ref === undefined) return part
  const keys = part.$ref.split('/').slice(1)
  return keys.reduce((inner: unknown, key) => (inner as Record<string, unknown>)[key], openapi) as Part
}

const maxLineLength = 120

function comment({ summary, description }: Operation): string {
  const words = [`${summary}.`, description ?? ''].join(' ').replaceAll('*/', '*\\/').trim().split(/\s+/)
  const lines = ['']
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`.trim()
    if (line.length > maxLineLength - '   * '.length) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines.length === 1
    ? `  /** ${lines[0]} */\n`
    : `  /**\n${lines.map((line) => `   * ${line}\n`).join('')}   */\n`
}
