import type { IdPrefix } from '../../ids.ts'
import type { Json } from './schemas.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  minimum?: number
  writeOnly?: boolean
}

/**
 * An example of a response, from the examples of its schemas. An example of an object may have only some of its fields:
 * the others are filled in.
 */
export function makeExample(schema: Schema, name = ''): unknown {
  const types = [schema.type ?? 'object'].flat()
  if (types.includes('null')) return null
  if (schema.properties) return exampleObject(schema, schema.properties)
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return makeExample(schema.anyOf[0], name)
  return exampleOfType(types[0] as string, schema, name)
}

function exampleObject({ required = [], examples = [] }: Schema, properties: Record<string, Schema>): Json {
  const example = (examples[0] ?? {}) as Json
  const shown = Object.entries(properties).filter(
    ([name, { writeOnly }]) => !writeOnly && (required.includes(name) || name in example),
  )
  return Object.fromEntries(
    shown.map(([name, field]) => [name, name in example ? completed(field, example[name]) : makeExample(field, name)]),
  )
}

const completed = (field: Schema, example: unknown): unknown =>
  field.properties && example !== null ? exampleObject({ ...field, examples: [example] }, field.properties) : example

function exampleOfType(type: string, schema: Schema, name: string): unknown {
  switch (type) {
    case 'array':
      return schema.items ? [makeExample(schema.items, name.replace(/s$/, ''))] : []
    case 'string':
      return exampleText(schema, name)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return {}
  }
}

function exampleText({ format }: Schema, name: string): string {
  if (format === 'date-time') return exampleTime
  if (format === 'date') return exampleTime.slice(0, 10)
  const prefix = name.endsWith('_id') ? prefixes[name.slice(0, -3)] : undefined
  return prefix === undefined ? (texts[name] ?? 'text') : exampleId(prefix)
}

export const exampleTime = '2026-01-31T12:00:00Z'

export const exampleId = (prefix: IdPrefix): string => `${prefix}_01k9z8q4m6e3v7t2w5x8y1a4bc`

/** The id prefixes of `…_id` fields. */
const prefixes: Record<string, IdPrefix> = {
  agent: 'agt',
  chunk: 'idx',
  conversation: 'cnv',
  document: 'doc',
  evaluation: 'evl',
  event: 'evt',
  knowledge_source: 'src',
  message: 'msg',
  model: 'mdl',
  request: 'req',
  run: 'run',
  target: 'agt',
  token: 'tok',
  tool: 'rag',
  webhook: 'whk',
}

/** Fields that mean the same in every response. */
const texts: Record<string, string> = {
  name: 'Support',
  description: 'Answers questions about orders.',
  content: 'Delivery takes three to five working days.',
  text: 'Delivery takes three to five working days.',
  quote: 'three to five working days',
  source: 'delivery.pdf',
  query: 'How long does delivery take?',
  input: 'How long does delivery take?',
  version: '1.0.0',
  node: 'parley-1',
  engine: 'sqlite',
}
