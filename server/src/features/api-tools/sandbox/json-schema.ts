import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import type { CheckedOutput } from '../../../kernel/agent/structured.ts'
import { reason } from '../../../kernel/errors.ts'
import { type ArgumentPath, undeclaredIn, withoutPaths } from './declared.ts'
import { measureExpansion } from './expansion.ts'

export interface Fault {
  path: string
  message: string
}

/** Arguments after a check. */
export interface Checked {
  faults: Fault[]
  /** The arguments that the schema does not declare. They were not validated and must not be sent. */
  undeclared: ArgumentPath[]
  /** Why the schema cannot be used. Then nothing was validated. */
  problem: string | null
}

type Node = Record<string, unknown>

const maxCompiled = 300
const maxFaults = 10
const maxPatternLength = 1000
const maxOutputLength = 1_000_000
const maxExpansion = 10_000
const tooExpansive = `checks one value against more than ${maxExpansion} subschemas, because its definitions refer to each other`
const fenced = /^\s*```(?:json)?[^\S\n]*\n([\s\S]*?)```\s*$/i
const trials = [null, true, 0, 'text', [], [{}], {}]

/** RE2 matches in linear time, so that no pattern can stall. */
const linear = Object.assign(
  (pattern: string) => {
    if (pattern.length > maxPatternLength) throw new Error(`a pattern is longer than ${maxPatternLength} characters`)
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    // Ajv identifies patterns by their text.
    return { test: (text: string) => compiled.test(text), toString: () => pattern }
  },
  { code: 'RE2JS' },
)

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    allowUnionTypes: true,
    validateSchema: true,
    // The type demands a RegExp, but Ajv only calls `test`.
    code: { regExp: linear as unknown as (pattern: string, flags: string) => RegExp & { code: string } } as never,
  })
  // The format `regex` would accept only JavaScript's patterns. Patterns are checked when they are compiled.
  addFormats.default(ajv)
  return ajv.addFormat('regex', true)
}

/** Checks schemas and validates values, both as JSON text. Caches compiled schemas. */
export class SchemaValidator {
  /** Creating an Ajv instance costs more than using it. */
  readonly #shared = createAjv()
  readonly #compiled = new LRUCache<string, ValidateFunction>({ max: maxCompiled })

  /** Returns what is wrong with a schema, or null. */
  problem(text: string): string | null {
    const schema = JSON.parse(text) as Node
    if (measureExpansion(schema) > maxExpansion) return tooExpansive
    const outside = outsideReference(schema)
    if (outside !== null) return `refers to "${outside}"; only references within the schema ("#/…") are allowed`
    const pattern = badPattern(schema)
    if (pattern !== null) return pattern
    try {
      this.#loadValidator(text)
      return null
    } catch (error) {
      return `is not a usable JSON Schema: ${reason(error).slice(0, 500)}`
    }
  }

  check(schema: string, value: string): Checked {
    const parsed = JSON.parse(value) as Node
    const undeclared = undeclaredIn(JSON.parse(schema) as Node, parsed)
    const args = withoutPaths(parsed, undeclared)
    try {
      const validate = this.#loadValidator(schema)
      if (validate(args)) return { faults: [], undeclared, problem: null }
      const faults = (validate.errors ?? []).slice(0, maxFaults).map(toFault)
      return {
        faults: faults.length > 0 ? faults : [{ path: '', message: 'are not valid' }],
        undeclared,
        problem: null,
      }
    } catch (error) {
      return { faults: [], undeclared, problem: reason(error).slice(0, 500) }
    }
  }

  /** Returns what is wrong with the schema of an output, or null. Validates samples, because some schemas take forever. */
  outputProblem(text: string): string | null {
    const problem = this.problem(text)
    if (problem === null) for (const value of trials) this.#loadValidator(text)(value)
    return problem
  }

  /** Parses and validates a reply that must be JSON. */
  checkOutput(schema: string, text: string): CheckedOutput {
    if (text.length > maxOutputLength)
      return { faults: [{ path: 'output', message: `is longer than ${maxOutputLength} characters` }], json: '' }
    const json = fenced.exec(text)?.[1]?.trim() ?? text
    let value: unknown
    try {
      value = JSON.parse(json)
    } catch (error) {
      return { faults: [{ path: 'output', message: `is not JSON: ${reason(error)}` }], json: '' }
    }
    const validate = this.#loadValidator(schema)
    if (validate(value)) return { faults: [], json }
    return { faults: (validate.errors ?? []).slice(0, maxFaults).map(outputFault), json }
  }

  #loadValidator(text: string): ValidateFunction {
    const known = this.#compiled.get(text)
    if (known) return known
    const validate = this.#compile(JSON.parse(text) as Node)
    this.#compiled.set(text, validate)
    return validate
  }

  /** Schemas with an `$id` could collide in the shared instance. */
  #compile(schema: Node): ValidateFunction {
    if (measureExpansion(schema) > maxExpansion) throw new Error(tooExpansive)
    const { $schema, ...rest } = schema
    if (JSON.stringify(rest).includes('"$id"')) return createAjv().compile(rest)
    try {
      return this.#shared.compile(rest)
    } finally {
      this.#shared.removeSchema(rest)
    }
  }
}

function toFault({ instancePath, message, params, keyword }: ErrorObject): Fault {
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

/** A validation error of a reply. */
function outputFault(error: ErrorObject): Fault {
  const { path, message } = toFault(error)
  const outputPath = path.replace(/(^|\.)(\d+)(?=\.|$)/g, '[$2]')
  const isUnknown = error.keyword === 'additionalProperties'
  return { path: outputPath === '' ? 'output' : outputPath, message: isUnknown ? 'is not in the schema' : message }
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** All subschemas. Data in it (`const`, `enum`, `default`, `examples`) is skipped. */
function* eachNode(schema: unknown, depth = 0): Generator<Node> {
  if (depth > 200 || typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield schema as Node
  for (const [key, value] of Object.entries(schema)) if (!dataKeys.has(key)) yield* eachNode(value, depth + 1)
}
const dataKeys = new Set(['const', 'enum', 'default', 'examples', 'example'])

function outsideReference(schema: Node): string | null {
  for (const node of eachNode(schema)) {
    for (const key of ['$ref', '$dynamicRef']) {
      const target = node[key]
      if (typeof target === 'string' && !target.startsWith('#')) return target
    }
  }
  return null
}

function badPattern(schema: Node): string | null {
  for (const node of eachNode(schema)) {
    const named = typeof node.patternProperties === 'object' && node.patternProperties !== null
    for (const pattern of [node.pattern, ...(named ? Object.keys(node.patternProperties as Node) : [])]) {
      const problem = typeof pattern === 'string' ? patternProblem(pattern) : null
      if (problem !== null) return problem
    }
  }
  return null
}

/** Returns why a pattern cannot be used, or null. Look-around and back-references have no linear-time match. */
export function patternProblem(pattern: string): string | null {
  try {
    linear(pattern)
    return null
  } catch (error) {
    return `has the pattern "${pattern.slice(0, 100)}", which cannot be used (${reason(error)}); look-around and back-references are not supported`
  }
}
