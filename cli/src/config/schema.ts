import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { nearest } from '../text.ts'
import { actionReferences, type Fields, type Kind, kinds } from './kinds.ts'
import type { Schema, Shape } from './resource.ts'
import type { Path, Problem } from './yaml.ts'

export type { Schema, Shape } from './resource.ts'

/** The description of the API (OpenAPI), as the service publishes it. */
export interface ApiDescription {
  info: { version: string }
  components: { schemas: Record<string, Schema> }
}

export const formatVersion = 1

export const environmentReference = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/

const secretSchema: Schema = { type: 'string', pattern: environmentReference.source, description: 'secret' }

/** The shape of a kind in the file: names instead of ids, references instead of secrets. */
export function buildShape(kind: Kind, { components }: ApiDescription): Shape {
  if (typeof kind.shape !== 'string') return kind.shape.fields
  const { properties = {} } = components.schemas[kind.shape] ?? {}
  const action = actionInFile(components.schemas.ScheduleAction ?? {})
  const fileNames = new Map(Object.entries(kind.references).map(([field, { api }]) => [api, field]))
  const entries = Object.entries(properties)
    .filter(([, schema]) => !schema.readOnly)
    .map(([name, schema]) => [fileNames.get(name) ?? name, inFile(schema)] as const)
    .map(([name, schema]) => [name, kind.section === 'schedules' && name === 'action' ? action : schema] as const)
  const identity = entries.filter(([name]) => name === kind.identity)
  return Object.fromEntries([...identity, ...entries.filter(([name]) => name !== kind.identity)])
}

/** The action of a schedule, with names instead of ids. */
function actionInFile(action: Schema): Schema {
  const fileNames = new Map(Object.values(actionReferences).map(({ field, reference }) => [reference.api, field]))
  const properties = Object.entries(action.properties ?? {}).map(([name, each]) => [fileNames.get(name) ?? name, each])
  return { ...action, properties: Object.fromEntries(properties) }
}

/** Drops read-only fields, and takes secrets by reference. */
function inFile(schema: Schema): Schema {
  if (schema.writeOnly) return secretSchema
  const result: Schema = { ...schema }
  if (schema.items) result.items = inFile(schema.items)
  if (schema.properties) {
    const kept = Object.entries(schema.properties).filter(
      ([, each]) => !each.readOnly && each.description !== 'An alias of `value`.',
    )
    result.properties = Object.fromEntries(kept.map(([name, each]) => [name, inFile(each)]))
  }
  return result
}

/**
 * Returns a function that validates a whole file and lists all problems. It takes longer to compile than to use, so only
 * the sections that the file has are compiled.
 */
export function validator(
  description: ApiDescription,
  sections: readonly string[] = kinds.map(({ section }) => section),
): (value: unknown) => Problem[] {
  const resources = kinds.map((kind) => {
    if (!sections.includes(kind.section)) return [kind.section, {}] as const
    const { required = [] } = (
      typeof kind.shape === 'string' ? (description.components.schemas[kind.shape] ?? {}) : kind.shape
    ) as { required?: string[] }
    const fileNames = new Map(Object.entries(kind.references).map(([field, { api }]) => [api, field]))
    const items = {
      type: 'object',
      additionalProperties: false,
      properties: buildShape(kind, description),
      required: required.map((name) => fileNames.get(name) ?? name),
    }
    return [kind.section, { type: ['array', 'null'], items }] as const
  })
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: false,
    verbose: true,
    // Both take longer than checking the file.
    validateSchema: false,
    code: { optimize: false },
  })
  const check = ajv.compile({
    type: 'object',
    additionalProperties: false,
    required: ['parley'],
    properties: { parley: { const: formatVersion }, ...Object.fromEntries(resources) },
    components: description.components,
  })
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [{ path: [], message: 'The file must be a map that starts with "parley: 1".' }]
    if (check(value)) return []
    // For a nullable value, Ajv reports every alternative. Only the one that is not null is useful.
    const errors = (check.errors ?? []).filter(
      ({ keyword, params, schemaPath }) =>
        keyword !== 'anyOf' && !(keyword === 'type' && params.type === 'null' && schemaPath.includes('/anyOf/')),
    )
    return withoutNoise(errors.map((error) => toProblem(error, value)))
  }
}

function toProblem(error: ErrorObject, root: unknown): Problem {
  const { instancePath, keyword, params, message = 'is not valid', parentSchema } = error
  const path = pointerPath(instancePath, root)
  switch (keyword) {
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      const known = Object.keys((parentSchema as Schema).properties ?? {})
      const close = nearest(name, known)
      const hint = close === null ? ` Known: ${known.join(', ')}.` : ` Did you mean "${close}"?`
      return { path: [...path, name], message: `is not a known key.${hint}` }
    }
    case 'required':
      return { path, message: `${params.missingProperty} is required` }
    case 'const':
      return { path, message: `must be ${JSON.stringify(params.allowedValue)}` }
    case 'enum':
      return { path, message: `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}` }
    case 'pattern':
      return {
        path,
        message:
          params.pattern === environmentReference.source
            ? `must name a variable of the environment, such as \${env:MY_KEY}: secrets do not belong in this file`
            : `must match ${params.pattern}`,
      }
    default:
      return { path, message }
  }
}

/** JSON Pointer → path. Numbers are indexes only in lists. */
function pointerPath(pointer: string, root: unknown): Path {
  const path: (string | number)[] = []
  let value = root
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(value) ? Number(key) : key)
    value = (value as Fields | undefined)?.[key as never]
  }
  return path
}

/** Keeps one problem for each value, because a value of the wrong type fails several keywords. */
function withoutNoise(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ path, message }) => {
    const key = JSON.stringify([path, / is required$/.test(message) ? message : ''])
    return !seen.has(key) && seen.add(key)
  })
}
