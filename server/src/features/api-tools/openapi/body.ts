import { isObject } from '../../../kernel/is-object.ts'
import { follow, followIn, type Node, nodeIn, OperationProblem, textIn } from './references.ts'
import type { SchemaReader } from './schemas.ts'

/** The request body of an operation. */
export interface Body {
  contentType: string
  arguments: { name: string; schema: Node; required: boolean }[]
  /** If null, the body consists of all arguments that are not used elsewhere. */
  template: unknown
}

const form = 'application/x-www-form-urlencoded'

/** Fields of a plain object become arguments, which models fill best. Anything else is one argument named `body`. */
export function readBody(document: Node, operation: Node, schemas: SchemaReader, taken: string[]): Body | null {
  const body = follow(document, operation.requestBody)
  const content = followIn(document, body, 'content')
  const offered = Object.keys(content)
  if (offered.length === 0) return null
  const contentType = chosenType(offered)
  if (contentType === undefined)
    throw new OperationProblem(`has a body of type ${offered.join(' or ').slice(0, 200)}, which is not supported`)
  const media = followIn(document, content, contentType)
  const schema = schemas.read(media.schema)
  const required = body.required === true
  const fields = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const isPlain = schema.type === 'object' && fields.length > 0 && !combinations.some((key) => key in schema)
  const fits = fields.every(([name]) => /^[A-Za-z0-9_-]{1,64}$/.test(name) && !taken.includes(name))
  const isText = !/json/i.test(contentType) && contentType !== form
  if (!isPlain || !fits || isText) {
    return {
      contentType,
      arguments: [{ name: 'body', schema: isText ? { type: 'string' } : schema, required }],
      template: `{${taken.includes('body') ? 'body_body' : 'body'}}`,
    }
  }
  const needed = Array.isArray(schema.required) ? schema.required : []
  return {
    contentType,
    arguments: fields.map(([name, each]) => ({
      name,
      schema: isObject(each) ? each : {},
      required: required && needed.includes(name),
    })),
    template: contentType === form ? formTemplate(fields, nodeIn(media, 'encoding')) : null,
  }
}

const delimiters: Record<string, string> = { form: ':csv', spaceDelimited: ':ssv', pipeDelimited: ':pipes' }

/** Lists in a form that are not sent by repeating the name need a template. */
function formTemplate(fields: [string, unknown][], encoding: Node): Record<string, string> | null {
  const entries = fields.map(([name, schema]): [string, string] => {
    const { explode, ...rest } = nodeIn(encoding, name)
    const style = textIn(rest, 'style') ?? 'form'
    if (!isObject(schema) || ![schema.type].flat().includes('array')) return [name, `{${name}}`]
    if (style === 'deepObject') return [`${name}[]`, `{${name}}`]
    const isJoined = explode === false || (style !== 'form' && Object.hasOwn(delimiters, style))
    return [name, `{${name}${isJoined ? delimiters[style] : ''}}`]
  })
  return entries.every(([name, template]) => template === `{${name}}`) ? null : Object.fromEntries(entries)
}

const combinations = ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref']

const chosenType = (offered: string[]): string | undefined =>
  offered.find((type) => /^application\/json\b/i.test(type)) ??
  offered.find((type) => /[/+]json\b/i.test(type)) ??
  offered.find((type) => type.toLowerCase().startsWith(form)) ??
  offered.find((type) => /^text\/[\w.+-]+$/i.test(type)) ??
  (offered.includes('*/*') ? '*/*' : undefined)
