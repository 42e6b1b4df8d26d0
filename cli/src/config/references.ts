import {
  actionReferences,
  type Fields,
  hasScorers,
  isFields,
  type Kind,
  kinds,
  type Reference,
  resourcesIn,
  scorerReferences,
} from './kinds.ts'
import { createDirectory, makeKey, type Named, readIdentity } from './names.ts'
import type { State } from './state.ts'
import type { Path, Problem } from './yaml.ts'

/** All references of a file that name no resource, or more than one. The file need not be valid otherwise. */
export function unknownReferences(file: Fields, state: State): Problem[] {
  const directory = createDirectory([...state.named, ...newNames(file, state)])
  const check = (reference: Reference, fields: Fields, value: unknown, path: Path): Problem[] => {
    const sections = reference.to(fields)
    if (sections === null) return []
    return namesIn(reference, value, path).flatMap(({ name, path }) => {
      try {
        directory.byName(name, sections)
        return []
      } catch (error) {
        return [{ path, message: (error as Error).message }]
      }
    })
  }
  return kinds.flatMap((kind) =>
    listed(file[kind.section]).flatMap(([index, fields]) => [
      ...Object.entries(kind.references).flatMap(([field, reference]) =>
        check(reference, fields, fields[field], [kind.section, index, field]),
      ),
      ...[...scorerNames(kind, fields), ...actionNames(kind, fields)].flatMap(({ reference, value, path }) =>
        check(reference, {}, value, [kind.section, index, ...path]),
      ),
    ]),
  )
}

const listed = (value: unknown): [number, Fields][] =>
  Array.isArray(value) ? [...value.entries()].filter((entry): entry is [number, Fields] => isFields(entry[1])) : []

function namesIn({ many, except = [] }: Reference, value: unknown, path: Path): { name: string; path: Path }[] {
  const values = many && Array.isArray(value) ? value.map((name, index) => [name, [...path, index]]) : [[value, path]]
  return values.flatMap(([name, path]) =>
    typeof name === 'string' && !except.includes(name) ? [{ name, path: path as Path }] : [],
  )
}

function scorerNames({ section }: Kind, { scorers }: Fields): { reference: Reference; value: unknown; path: Path }[] {
  if (!hasScorers(section)) return []
  return listed(scorers).flatMap(([index, { type, config }]) => {
    const inConfig = scorerReferences[String(type)]
    if (inConfig === undefined || inConfig.isOptional || !isFields(config)) return []
    const { field, reference } = inConfig
    const written = field in config ? field : reference.api
    return [{ reference, value: config[written], path: ['scorers', index, 'config', written] }]
  })
}

function actionNames({ section }: Kind, { action }: Fields): { reference: Reference; value: unknown; path: Path }[] {
  const inAction = isFields(action) ? actionReferences[String(action.type)] : undefined
  if (section !== 'schedules' || !inAction || !isFields(action)) return []
  return [{ reference: inAction.reference, value: action[inAction.field], path: ['action', inAction.field] }]
}

/** Resources of the file that the service does not have. */
export function newNames(file: Fields, { named }: State): Named[] {
  const known = new Set(named.map(({ section, name }) => makeKey(section, name)))
  return kinds.flatMap((kind) =>
    resourcesIn(file, kind.section)
      .map((fields) => readIdentity(kind, fields))
      .filter((name) => !known.has(makeKey(kind.section, name)))
      .map((name, index) => ({
        section: kind.section,
        name,
        id: null,
        ...(kind.section === 'models' && {
          providerName: String(resourcesIn(file, 'models').find((each) => each.name === name)?.model_id ?? index),
        }),
      })),
  )
}
