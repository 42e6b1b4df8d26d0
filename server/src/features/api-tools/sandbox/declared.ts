import { RE2JS } from 're2js'
import { isObject } from '../../../kernel/is-object.ts'
import { at } from './expansion.ts'

type Node = Record<string, unknown>

/** The place of an argument in the others: names of properties, and positions in lists. */
export type ArgumentPath = (string | number)[]

/** Data this deep is no argument of a tool. */
const maxDepth = 200

/**
 * The arguments that a schema does not declare, anywhere in its combinations. None at a place where the schema has a rule for
 * undeclared ones, nor in an object below the arguments of which it says nothing.
 */
export function undeclaredIn(schema: Node, value: unknown): ArgumentPath[] {
  const search = new Search(schema)
  search.visit(value, [schema], [])
  return search.found
}

/** Removes arguments from others, which stay as they are. */
export function withoutPaths<Value extends object>(value: Value, paths: readonly ArgumentPath[]): Value {
  if (paths.length === 0) return value
  const copy = structuredClone(value)
  for (const path of paths) {
    let parent: unknown = copy
    for (const key of path.slice(0, -1)) parent = (parent as Node)[key]
    delete (parent as Node)[path.at(-1) as string]
  }
  return copy
}

export const shownPath = (path: ArgumentPath): string =>
  path.map((key, depth) => (typeof key === 'number' ? `[${key}]` : depth === 0 ? key : `.${key}`)).join('')

class Search {
  readonly found: ArgumentPath[] = []
  readonly #root: Node
  /** The parts of a schema that apply to the same value. */
  readonly #parts = new Map<Node, Node[]>()
  readonly #patterns = new Map<string, RE2JS | null>()

  constructor(root: Node) {
    this.#root = root
  }

  /** Collects the undeclared names in a value. `schemas` are all schemas that apply to it. */
  visit(value: unknown, schemas: unknown[], path: ArgumentPath): void {
    if (typeof value !== 'object' || value === null || schemas.length === 0) return
    if (path.length > maxDepth) throw new Error(`arguments are nested more than ${maxDepth} levels deep`)
    const parts = [...new Set(schemas.filter(isObject).flatMap((schema) => this.#collectParts(schema)))]
    if (Array.isArray(value)) {
      for (const [at, each] of value.entries()) this.visit(each, parts.flatMap(itemSchemas(at)), [...path, at])
      return
    }
    if (this.#isClosed(schemas, parts, path.length === 0))
      for (const name of Object.keys(value))
        if (!parts.some((part) => this.#declares(part, name))) this.found.push([...path, name])
    for (const [name, each] of Object.entries(value)) {
      const declaring = parts.flatMap((part) => this.#findSchemas(part, name))
      this.visit(each, declaring, [...path, name])
    }
  }

  /** Whether names that no part declares do not belong to an object. */
  #isClosed(schemas: unknown[], parts: Node[], isRoot: boolean): boolean {
    if (schemas.filter(isObject).every((schema) => this.#hasRule(schema))) return false
    if (parts.some((part) => openKeys.some((key) => part[key] === true || isObject(part[key])))) return false
    if (isRoot) return true
    return parts.some(namesProperties) && !parts.some((part) => this.#allowsAnything(part))
  }

  /** A rule of a schema for undeclared names, which validation applies. */
  #hasRule(schema: Node): boolean {
    const target = typeof schema.$ref === 'string' ? at(this.#root, schema.$ref) : undefined
    const own = [schema, ...(isObject(target) ? [target] : [])]
    return own.some((each) => openKeys.some((key) => each[key] !== undefined))
  }

  /** Whether one of the choices is an object of which nothing is said. */
  #allowsAnything(part: Node): boolean {
    const choices = [part.anyOf, part.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
    return choices.some(
      (choice) =>
        choice === true ||
        (isObject(choice) &&
          [choice.type].flat().includes('object') &&
          !this.#collectParts(choice).some(namesProperties)),
    )
  }

  /**
   * The schema and all that it combines for the same value. Anchors are not followed: what they declare counts as declared
   * nowhere.
   */
  #collectParts(schema: Node): Node[] {
    const known = this.#parts.get(schema)
    if (known) return known
    const parts = new Set<Node>()
    const add = (part: unknown): void => {
      if (!isObject(part) || parts.has(part)) return
      parts.add(part)
      for (const key of ['allOf', 'anyOf', 'oneOf']) if (Array.isArray(part[key])) part[key].forEach(add)
      for (const key of ['if', 'then', 'else']) add(part[key])
      if (isObject(part.dependentSchemas)) Object.values(part.dependentSchemas).forEach(add)
      if (typeof part.$ref === 'string') add(at(this.#root, part.$ref))
    }
    add(schema)
    this.#parts.set(schema, [...parts])
    return [...parts]
  }

  #declares(part: Node, name: string): boolean {
    if (isObject(part.properties) && Object.hasOwn(part.properties, name)) return true
    if (Array.isArray(part.required) && part.required.includes(name)) return true
    return patternsIn(part).some((pattern) => this.#matches(pattern, name))
  }

  #findSchemas(part: Node, name: string): unknown[] {
    const own = isObject(part.properties) && Object.hasOwn(part.properties, name) ? [part.properties[name]] : []
    const named = patternsIn(part).filter((pattern) => this.#matches(pattern, name))
    const all = [...own, ...named.map((pattern) => (part.patternProperties as Node)[pattern])]
    return all.length > 0 ? all : openKeys.map((key) => part[key])
  }

  /** A pattern that cannot be used matches nothing. */
  #matches(pattern: string, name: string): boolean {
    let compiled = this.#patterns.get(pattern)
    if (compiled === undefined) {
      try {
        compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
      } catch {
        compiled = null
      }
      this.#patterns.set(pattern, compiled)
    }
    return compiled?.test(name) ?? false
  }
}

const openKeys = ['additionalProperties', 'unevaluatedProperties']

const patternsIn = ({ patternProperties }: Node): string[] =>
  isObject(patternProperties) ? Object.keys(patternProperties) : []

const namesProperties = (part: Node): boolean =>
  (isObject(part.properties) && Object.keys(part.properties).length > 0) || patternsIn(part).length > 0

const itemSchemas =
  (at: number) =>
  ({ prefixItems, items }: Node): unknown[] => {
    const byPosition = [prefixItems, items].find(Array.isArray) ?? []
    return [at < byPosition.length ? byPosition[at] : items]
  }
