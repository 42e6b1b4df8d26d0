/** The parts of a JSON Schema that a form can use. */
interface Shape {
  type?: string | string[]
  description?: string
  title?: string
  enum?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  [more: string]: unknown
}

export interface Argument {
  name: string
  shape: Shape
  required: boolean
  field: 'choice' | 'boolean' | 'number' | 'text' | 'json'
}

type Schema = Record<string, unknown>

/** Resolves local references. */
function resolved(schema: Schema, shape: Shape, depth = 0): Shape {
  const reference = shape.$ref
  if (typeof reference !== 'string' || !reference.startsWith('#/') || depth > 8) return shape
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
  let found: unknown = schema
  for (const step of steps) found = Object.hasOwn(Object(found), step) ? (found as Schema)[step] : undefined
  return typeof found === 'object' && found !== null ? resolved(schema, found as Shape, depth + 1) : shape
}

/** Removes null from a union: a form leaves the field empty instead. */
function withoutNull(shape: Shape): Shape {
  const choices = shape.anyOf ?? shape.oneOf
  const real = Array.isArray(choices) ? (choices as Shape[]).filter(({ type }) => type !== 'null') : []
  const [only] = real
  const plain = real.length === 1 && only ? { ...shape, ...only } : shape
  const types = Array.isArray(plain.type) ? plain.type.filter((type) => type !== 'null') : null
  return types?.length === 1 && types[0] !== undefined ? { ...plain, type: types[0] } : plain
}

function fieldFor({ type, enum: choices }: Shape): Argument['field'] {
  if (Array.isArray(choices)) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'string' ? 'text' : 'json'
}

/** The arguments in a JSON Schema, each with a matching form field. */
export function listArguments(schema: Schema): Argument[] {
  const properties = (schema.properties ?? {}) as Record<string, Shape | boolean>
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([name, property]) => {
    const shape = withoutNull(resolved(schema, typeof property === 'object' && property !== null ? property : {}))
    return { name, shape, required: required.includes(name), field: fieldFor(shape) }
  })
}
