import { isObject } from '../../../kernel/is-object.ts'
import { patternProblem } from '../sandbox/json-schema.ts'
import { followIn, type Node, OperationProblem, resolve } from './references.ts'

const maxSubschemas = 3000
const maxDepth = 40
const maxDescriptionLength = 1000

const types = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])
const numbers = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]
const single = ['items', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']
const several = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const named = ['properties', 'patternProperties']

/** Converts OpenAPI schemas to JSON Schema 2020-12. References are inlined unless they are circular; unknown keywords are dropped. */
export class SchemaReader {
  readonly notes = new Set<string>()
  readonly #document: Node
  readonly #isVersion30: boolean
  readonly #cyclic = new Map<string, string>()
  #parts = 0

  constructor(document: Node, isVersion30: boolean) {
    this.#document = document
    this.#isVersion30 = isVersion30
  }

  followIn(node: Node, key: string): Node {
    return followIn(this.#document, node, key)
  }

  read(schema: unknown): Node {
    const converted = this.#convert(schema, [], 0)
    return converted === true ? {} : converted === false ? { not: {} } : converted
  }

  /** The definitions that circular references need. */
  definitions(): Node {
    const done: Node = {}
    for (let next = this.#missing(done); next; next = this.#missing(done)) {
      const [reference, name] = next
      const converted = this.#convert(resolve(this.#document, reference), [reference], 0)
      // A definition that only refers to itself has no content.
      if (typeof converted === 'object' && converted.$ref === `#/$defs/${name}`) delete converted.$ref
      done[name] = converted
    }
    return done
  }

  #missing(done: Node): [string, string] | undefined {
    return [...this.#cyclic].find(([, name]) => !Object.hasOwn(done, name))
  }

  #convert(schema: unknown, stack: readonly string[], depth: number): Node | boolean {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) return {}
    if (++this.#parts > maxSubschemas) throw new OperationProblem('has parameters whose schema is too large')
    if (depth > maxDepth) throw new OperationProblem('has parameters that are nested too deeply')
    if (typeof schema.$ref === 'string') return this.#follow(schema.$ref, schema, stack, depth)
    return this.#convertParts(schema, stack, depth)
  }

  #follow(reference: string, { $ref, ...beside }: Node, stack: readonly string[], depth: number): Node | boolean {
    const more = this.#isVersion30 ? {} : this.#convertParts(beside, stack, depth)
    if (stack.includes(reference)) return { ...more, $ref: `#/$defs/${this.#nameDefinition(reference)}` }
    const converted = this.#convert(resolve(this.#document, reference), [...stack, reference], depth + 1)
    return typeof converted === 'boolean' ? converted : { ...converted, ...more }
  }

  #nameDefinition(reference: string): string {
    const known = this.#cyclic.get(reference)
    if (known) return known
    const name = `${reference.replace(/^.*\//, '').replace(/\W/g, '_').slice(0, 40)}_${this.#cyclic.size + 1}`
    this.#cyclic.set(reference, name)
    return name
  }

  #convertParts(schema: Node, stack: readonly string[], depth: number): Node {
    const out: Node = {}
    const inner = (value: unknown) => this.#convert(value, stack, depth + 1)
    const type = [schema.type].flat().filter((each) => types.has(each as string))
    if (type.length > 0) out.type = type.length === 1 ? type[0] : [...new Set(type)]
    for (const key of ['title', 'description'])
      if (typeof schema[key] === 'string') out[key] = schema[key].slice(0, maxDescriptionLength).toWellFormed()
    if (typeof schema.format === 'string') out.format = schema.format.slice(0, 100)
    for (const key of numbers) if (isSoundNumber(key, schema[key])) out[key] = schema[key]
    if (typeof schema.uniqueItems === 'boolean') out.uniqueItems = schema.uniqueItems
    if (Array.isArray(schema.enum) && schema.enum.length > 0) out.enum = schema.enum
    for (const key of ['const', 'default']) if (Object.hasOwn(schema, key)) out[key] = schema[key]
    this.#takePattern(schema, out)
    for (const key of single)
      if (isObject(schema[key]) || typeof schema[key] === 'boolean') out[key] = inner(schema[key])
    for (const key of several) {
      const list = schema[key]
      if (Array.isArray(list) && list.length > 0) out[key] = list.map(inner)
    }
    const extra = schema.additionalProperties
    if (isObject(extra) || typeof extra === 'boolean') out.additionalProperties = inner(extra)
    for (const key of named) if (isObject(schema[key])) out[key] = this.#convertNamed(key, schema[key], inner)
    this.#takeRequired(schema, out)
    return this.#isVersion30 ? toDraft2020(schema, out) : out
  }

  #takePattern(schema: Node, out: Node): void {
    if (typeof schema.pattern !== 'string') return
    if (patternProblem(schema.pattern) === null) out.pattern = schema.pattern
    else this.notes.add(`The pattern "${schema.pattern.slice(0, 80)}" is not checked.`)
  }

  /** Skips `readOnly` properties, which are only in responses. */
  #convertNamed(key: string, schemas: Node, inner: (value: unknown) => Node | boolean): Node {
    const wanted = Object.entries(schemas).filter(
      ([name, schema]) =>
        !(isObject(schema) && schema.readOnly === true) && (key === 'properties' || patternProblem(name) === null),
    )
    return Object.fromEntries(wanted.map(([name, schema]) => [name, inner(schema)]))
  }

  #takeRequired(schema: Node, out: Node): void {
    if (!Array.isArray(schema.required)) return
    const properties = isObject(schema.properties) ? schema.properties : {}
    const readOnly = (name: string) =>
      Object.hasOwn(properties, name) && isObject(properties[name]) && properties[name].readOnly === true
    const required = schema.required.filter((name): name is string => typeof name === 'string' && !readOnly(name))
    if (required.length > 0) out.required = [...new Set(required)]
  }
}

const isSoundNumber = (key: string, value: unknown): boolean =>
  typeof value === 'number' &&
  Number.isFinite(value) &&
  (!/^(min|max)[A-Z]|multipleOf/.test(key) || value > 0 || (value === 0 && key !== 'multipleOf')) &&
  (!/^(min|max)[A-Z]/.test(key) || Number.isInteger(value))

/** Translates keywords of OpenAPI 3.0 to JSON Schema 2020-12. */
function toDraft2020(schema: Node, out: Node): Node {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[flag] !== true || typeof out[bound] !== 'number') continue
    out[flag] = out[bound]
    delete out[bound]
  }
  if (schema.nullable !== true && schema['x-nullable'] !== true) return out
  if (Array.isArray(out.enum) && !out.enum.includes(null)) out.enum = [...out.enum, null]
  if (typeof out.type === 'string') return { ...out, type: [out.type, 'null'] }
  return Object.keys(out).some((key) => several.includes(key)) ? { anyOf: [out, { type: 'null' }] } : out
}
