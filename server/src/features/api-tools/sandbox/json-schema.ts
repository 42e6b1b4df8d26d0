import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { RE2JS } from 're2js'
import { reason } from '../../../kernel/errors.ts'

/** What is wrong with a value, and where. */
export interface Fault {
  path: string
  message: string
}

type Node = Record<string, unknown>

const mostKept = 300
const mostFaults = 10
const longestPattern = 1000

/** Patterns run in time that grows with the text alone, so that none of them can stall. */
const linear = Object.assign(
  (pattern: string) => {
    if (pattern.length > longestPattern) throw new Error(`a pattern is longer than ${longestPattern} characters`)
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    // Ajv tells patterns apart by their text.
    return { test: (text: string) => compiled.test(text), toString: () => pattern }
  },
  { code: 'RE2JS' },
)

function checker(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    allowUnionTypes: true,
    validateSchema: true,
    // The type asks for a whole RegExp where only `test` is used.
    code: { regExp: linear as unknown as (pattern: string, flags: string) => RegExp & { code: string } } as never,
  })
  // Ajv asks whether a pattern is JavaScript's; whether it can be used is decided when it is compiled.
  addFormats.default(ajv)
  return ajv.addFormat('regex', true)
}

/** Checks schemas and validates values, both as JSON text. Keeps the schemas that it compiled last. */
export class SchemaValidator {
  /** Creating an Ajv instance costs more than using it. */
  readonly #shared = checker()
  readonly #compiled = new Map<string, ValidateFunction>()

  /** What is wrong with a schema, in words, or null. */
  problem(text: string): string | null {
    const schema = JSON.parse(text) as Node
    const outside = outsideReference(schema)
    if (outside !== null) return `refers to "${outside}"; only references within the schema ("#/…") are followed`
    const pattern = badPattern(schema)
    if (pattern !== null) return pattern
    try {
      this.#validatorOf(text)
      return null
    } catch (error) {
      return `is not a JSON Schema that can be used: ${reason(error).slice(0, 500)}`
    }
  }

  faults(schema: string, value: string): Fault[] {
    const validate = this.#validatorOf(schema)
    if (validate(JSON.parse(value))) return []
    const faults = (validate.errors ?? []).slice(0, mostFaults).map(faultOf)
    return faults.length > 0 ? faults : [{ path: '', message: 'are not valid' }]
  }

  #validatorOf(text: string): ValidateFunction {
    const known = this.#compiled.get(text)
    if (known) return known
    const validate = this.#compile(JSON.parse(text) as Node)
    if (this.#compiled.size >= mostKept) this.#compiled.delete(this.#compiled.keys().next().value ?? '')
    this.#compiled.set(text, validate)
    return validate
  }

  /** Schemas with an `$id` could collide in the shared instance. */
  #compile(schema: Node): ValidateFunction {
    const { $schema, ...rest } = schema
    if (JSON.stringify(rest).includes('"$id"')) return checker().compile(rest)
    try {
      return this.#shared.compile(rest)
    } finally {
      this.#shared.removeSchema(rest)
    }
  }
}

function faultOf({ instancePath, message, params, keyword }: ErrorObject): Fault {
  const path = instancePath
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  const { additionalProperty, missingProperty, allowedValues } = params as Record<string, unknown>
  if (keyword === 'required') return { path: joined(path, String(missingProperty)), message: 'is required' }
  if (keyword === 'additionalProperties')
    return { path: joined(path, String(additionalProperty)), message: 'is not one of the parameters' }
  if (Array.isArray(allowedValues))
    return { path, message: `must be one of ${JSON.stringify(allowedValues).slice(1, -1).slice(0, 1000)}` }
  return { path, message: message ?? 'is not valid' }
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Walks the parts of a schema. What is data in it (`const`, `enum`, `default`, `examples`) is not looked into. */
function* nodesOf(schema: unknown, depth = 0): Generator<Node> {
  if (depth > 200 || typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield schema as Node
  for (const [key, value] of Object.entries(schema)) if (!dataKeys.has(key)) yield* nodesOf(value, depth + 1)
}
const dataKeys = new Set(['const', 'enum', 'default', 'examples', 'example'])

function outsideReference(schema: Node): string | null {
  for (const node of nodesOf(schema)) {
    for (const key of ['$ref', '$dynamicRef']) {
      const target = node[key]
      if (typeof target === 'string' && !target.startsWith('#')) return target
    }
  }
  return null
}

function badPattern(schema: Node): string | null {
  for (const node of nodesOf(schema)) {
    const named = typeof node.patternProperties === 'object' && node.patternProperties !== null
    for (const pattern of [node.pattern, ...(named ? Object.keys(node.patternProperties as Node) : [])]) {
      const problem = typeof pattern === 'string' ? patternProblem(pattern) : null
      if (problem !== null) return problem
    }
  }
  return null
}

/** Why a pattern cannot be used, or null. What needs looking around or back cannot be matched in linear time. */
export function patternProblem(pattern: string): string | null {
  try {
    linear(pattern)
    return null
  } catch (error) {
    return `has the pattern "${pattern.slice(0, 100)}", which cannot be used (${reason(error)}); patterns must do without looking around and back-references`
  }
}
