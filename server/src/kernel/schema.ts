import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox'
import { isObject } from './is-object.ts'

/**
 * A resource is described once, by the shape that is read (a `Type.Object` of these fields). The create and update
 * bodies, the columns and the list parameters are derived from it.
 *
 * - `ReadOnly` fields are set by the service and ignored in bodies.
 * - A field that is nullable or has a `default` is optional on create; `null` clears it.
 * - A `Derived` field is computed from the others if it is missing; `null` means the same, unless it is nullable.
 */
export interface Options {
  description?: string
  examples?: unknown[]
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

export const Nullable = <T extends TSchema>(schema: T): TUnsafe<Static<T> | null> => {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] }
  const shape = { ...(values && { enum: [...values, null] }), ...(type && { type: [type, 'null'].flat() }) }
  return Type.Unsafe<Static<T> | null>({ ...schema, ...shape })
}

export const Choice = <const T extends string>(values: readonly T[], options: Options = {}): TUnsafe<T> =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options })

export const ReadOnly = <T extends TSchema>(schema: T): T => ({ ...schema, readOnly: true })

export const Derived = <T extends TSchema>(schema: T): T => ({ ...schema, 'x-derived': true })

/** Accepted in bodies, never returned. */
export const WriteOnly = <T extends TSchema>(schema: T): T => ({ ...schema, writeOnly: true })

export const Name = Type.String({ minLength: 1, maxLength: 200, description: 'The name that people see.' })
export const Description = Nullable(Type.String({ maxLength: 10_000, description: 'The purpose, in a few words.' }))
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 10_000 },
  maxProperties: 100,
  default: {},
  description: 'Custom labels. Names and values are strings.',
})

/** The values of a prompt template's variables. */
export const Variables = (description: string): TUnsafe<Record<string, string>> =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 100_000 },
    maxProperties: 200,
    default: {},
    description,
  })

export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00Z'] })

export const identity = (prefix: string) => ({
  id: ReadOnly(Type.String({ examples: [`${prefix}_01k9z8q4m6e3v7t2w5x8y1a4bc`] })),
})
export const timestamps = { created_at: ReadOnly(Timestamp), updated_at: ReadOnly(Timestamp) }

/** The shape without its write-only fields, and without the defaults of fields that may be hidden: they would be sent. */
export function readShape(resource: TObject): TObject {
  const isSent = (name: string) => (resource.required ?? []).includes(name)
  const withoutDefault = ({ default: _, ...property }: Property): TSchema => property
  const readable = listProperties(resource)
    .filter(([, property]) => !property.writeOnly)
    .map(([name, property]) => [name, isSent(name) ? property : Type.Optional(withoutDefault(property))])
  const { title } = resource as { title?: string }
  return Type.Object(Object.fromEntries(readable), title === undefined ? {} : { title })
}

interface Property extends TSchema {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  default?: unknown
  readOnly?: boolean
  writeOnly?: boolean
  'x-derived'?: boolean
}

export const listProperties = (schema: TObject): [string, Property][] => Object.entries(schema.properties)

const jsonTypes = (property: Property): string[] =>
  property.type ? [property.type].flat() : property.enum ? ['string'] : ['object']

export const isNullable = (property: Property): boolean => jsonTypes(property).includes('null')
export const isBoolean = (property: Property): boolean => jsonTypes(property).includes('boolean')
export const isScalar = (property: Property): boolean =>
  jsonTypes(property).every((type) => ['string', 'number', 'integer', 'boolean', 'null'].includes(type))

/** Whether a body may omit it. */
export const isOptional = (property: Property): boolean =>
  isNullable(property) || property.default !== undefined || property['x-derived'] === true

/** The body that creates a resource. */
export function createBody(resource: TObject, title: string): TObject {
  const properties: Record<string, TSchema> = {}
  const required: string[] = []
  for (const [name, property] of listProperties(resource)) {
    properties[name] = property.readOnly ? { readOnly: true, description: 'Ignored.' } : property
    if (!property.readOnly && !isOptional(property)) required.push(name)
  }
  const optional = Object.entries(properties).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : Type.Optional(schema),
  ])
  return Type.Object(Object.fromEntries(optional), { additionalProperties: false, title: `New${title}` })
}

/** The update body: any of the fields, without defaults. */
export function updateBody(resource: TObject, title: string): TObject {
  return Type.Object(Type.Partial(createBody(resource, title)).properties, {
    additionalProperties: false,
    title: `${title}Changes`,
    'x-partial': true,
  })
}

/**
 * Prepares a body for validation: removes read-only fields, replaces `null` by the default of a field, removes derived
 * fields that are `null` but not nullable, and adds missing defaults unless the body is partial.
 */
export function normalizeBody(schema: TObject & { 'x-partial'?: boolean }): (body: unknown) => unknown {
  const readOnly: string[] = []
  const derived: string[] = []
  const defaults: [string, unknown][] = []
  for (const [name, property] of listProperties(schema)) {
    if (property.readOnly) readOnly.push(name)
    else if (property['x-derived']) derived.push(...(isNullable(property) ? [] : [name]))
    else if (property.default !== undefined) defaults.push([name, property.default])
    else if (isNullable(property)) defaults.push([name, null])
  }
  const mayBeMissing =
    !schema['x-partial'] && (schema.required ?? []).every((name) => defaults.some(([other]) => other === name))
  return (value) => {
    const body = value === null && mayBeMissing ? {} : value // Fastify passes null for no body
    if (!isObject(body)) return body
    const normalized: Record<string, unknown> = { ...body }
    for (const name of readOnly) delete normalized[name]
    for (const name of derived) if (normalized[name] === null) delete normalized[name]
    for (const [name, value] of defaults) {
      if (normalized[name] === null || (normalized[name] === undefined && !schema['x-partial'])) {
        normalized[name] = structuredClone(value)
      }
    }
    return normalized
  }
}
