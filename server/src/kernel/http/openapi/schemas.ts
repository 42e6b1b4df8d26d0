import type { TObject, TSchema } from 'typebox'
import { isOptional, listProperties } from '../../schema.ts'

export type Json = Record<string, unknown>

/** The parts of the document that operations refer to. */
export interface Components {
  headers: Map<string, Json>
  parameters: Map<string, Json>
  responses: Map<string, Json>
  schemas: Map<string, Json>
}

/** Moves schemas with a title to `components`. */
export function hoist(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { patternMessage: _pattern, ...published } = schema as Json // our text for an error
  const isData = (key: string, value: unknown) => key === 'examples' && Array.isArray(value) // its titles name no schemas
  const inner = Object.fromEntries(
    Object.entries(published).map(([key, value]) => [key, isData(key, value) ? value : hoist(value, components)]),
  )
  const { title } = schema as { title?: unknown }
  if (typeof title !== 'string') return inner
  const reference = { $ref: `#/components/schemas/${title}` }
  const types = [inner.type].flat().filter((type) => type !== 'null')
  // Examples of a named schema are shown with the requests and responses that contain it.
  const { examples: _examples, ...named } = inner
  if (!Array.isArray(inner.type)) {
    components.schemas.set(title, named)
    return reference
  }
  // A field that may be null describes itself: what null means differs from field to field.
  const { description, ...object } = named
  if (!components.schemas.has(title))
    components.schemas.set(title, { ...object, ...(types.length === 1 && { type: types[0] }) })
  return { anyOf: [reference, { type: 'null' }], ...(description !== undefined && { description }) }
}

/**
 * A body as callers send it: fields that are filled in when they are missing are not required. Read-only fields are ignored in
 * every body, but only a change has them: it may be what a GET returned.
 */
export function asSent(body: TSchema, { isNew }: { isNew: boolean }): TSchema {
  if (!('properties' in body)) return body
  const { required = [], ...schema } = (isNew ? { ...body, ...withoutReadOnly(body) } : body) as TObject
  const optional = new Set(
    listProperties(body as TObject).flatMap(([name, field]) => (isOptional(field) ? [name] : [])),
  )
  return { ...schema, required: required.filter((name) => !optional.has(name)) }
}

/** The fields of an object, or of the objects in a list. Objects inside that have a name stay: responses have them, too. */
function withoutReadOnly(schema: TSchema): TSchema {
  const inside = (part: TSchema) => ('title' in part ? part : { ...part, ...withoutReadOnly(part) })
  const { properties, items } = schema as Partial<TObject> & { items?: TSchema }
  if (items) return { items: inside(items) }
  if (!properties) return {}
  const fields = Object.entries(properties).filter(([, field]) => !(field as { readOnly?: boolean }).readOnly)
  return { properties: Object.fromEntries(fields.map(([name, field]) => [name, inside(field)])) }
}
