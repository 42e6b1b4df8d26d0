import { RE2JS } from 're2js'
import { isObject } from '../../../kernel/is-object.ts'
import { at } from './expansion.ts'

type Node = Record<string, unknown>

interface Declared {
  names: Set<string>
  patterns: string[]
}

/** The arguments that a schema does not declare, anywhere in its combinations. Empty if the schema has a rule for undeclared ones. */
export function undeclaredIn(schema: Node, value: unknown): string[] {
  if (!isObject(value) || schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined)
    return []
  const declared: Declared = { names: new Set(), patterns: [] }
  if (isOpen(schema, schema, declared, new Set())) return []
  const patterns = declared.patterns.flatMap(compiled)
  return Object.keys(value).filter(
    (name) => !declared.names.has(name) && !patterns.some((pattern) => pattern.test(name)),
  )
}

/** A pattern that cannot be used declares nothing. */
function compiled(pattern: string): RE2JS[] {
  try {
    return [RE2JS.compile(RE2JS.translateRegExp(pattern))]
  } catch {
    return []
  }
}

/**
 * Collects what a schema declares. Returns true if a part of it allows any argument. Anchors are not followed: what they
 * declare counts as declared nowhere.
 */
function isOpen(root: Node, schema: unknown, declared: Declared, seen: Set<unknown>): boolean {
  if (!isObject(schema) || seen.has(schema)) return false
  seen.add(schema)
  for (const name of Object.keys(isObject(schema.properties) ? schema.properties : {})) declared.names.add(name)
  for (const name of Array.isArray(schema.required) ? schema.required : []) declared.names.add(String(name))
  for (const pattern of Object.keys(isObject(schema.patternProperties) ? schema.patternProperties : {}))
    declared.patterns.push(pattern)
  for (const key of ['additionalProperties', 'unevaluatedProperties'])
    if (schema[key] === true || isObject(schema[key])) return true
  const parts = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : [])),
    ...['if', 'then', 'else'].map((key) => schema[key]),
    ...Object.values(isObject(schema.dependentSchemas) ? schema.dependentSchemas : {}),
    ...(typeof schema.$ref === 'string' ? [at(root, schema.$ref)] : []),
  ]
  return parts.some((part) => isOpen(root, part, declared, seen))
}
