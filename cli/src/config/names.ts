import { CliError } from '../failures.ts'
import { type Fields, findKind, type Kind, type Reference, type Target } from './kinds.ts'

/** A resource that can be referred to: one of the service or, while a file is applied, of the file. */
export interface Named {
  section: Target
  name: string
  /** Null until it is created. */
  id: string | null
  /** For models: the id that the provider has for it. */
  providerName?: string
}

/** A reference between resources, whatever its spelling: `section/name`. */
export type Key = string

export const makeKey = (section: Target, name: string): Key => `${section}/${name}`

export interface Directory {
  /** The resource that an id or a name of the service means. Null: there is none. */
  byService(value: string, sections: readonly Target[]): Key | null
  /** The resource that a name in a file means. Throws if there is none, or more than one. */
  byName(name: string, sections: readonly Target[]): Key
  findId(key: Key): string
  created(key: Key, id: string): void
  /** The shortest name that is unambiguous in a file. */
  shortName(key: Key, sections: readonly Target[]): string
}

const toNoun = (section: Target): string => (section === 'tokens' ? 'token' : findKind(section).noun)

export function createDirectory(all: readonly Named[]): Directory {
  const found = new Map<Key, Named[]>()
  for (const each of all) {
    const key = makeKey(each.section, each.name)
    found.set(key, [...(found.get(key) ?? []), each])
  }
  const keysNamed = (name: string, sections: readonly Target[]): Key[] =>
    sections.map((section) => makeKey(section, name)).filter((key) => found.has(key))
  const byProvider = (name: string): Key[] => [
    ...new Set(
      all.filter(({ providerName }) => providerName === name).map(({ section, name: own }) => makeKey(section, own)),
    ),
  ]
  const modelKeys = (name: string, sections: readonly Target[]): Key[] =>
    sections.includes('models') ? byProvider(name) : []

  return {
    byService(value, sections) {
      const row = all.find(({ id, section }) => id === value && sections.includes(section))
      if (row) return makeKey(row.section, row.name)
      // Fields that refer to models also take the provider's name and the name, in this order.
      const keys = modelKeys(value, sections)
      return (
        (keys.length === 1 ? keys[0] : sections.includes('models') ? keysNamed(value, ['models'])[0] : null) ?? null
      )
    },
    byName(name, sections) {
      const [prefix = '', ...rest] = name.split('/')
      const qualified = sections.length > 1 && sections.find((section) => section === prefix)
      const named = qualified ? keysNamed(rest.join('/'), [qualified]) : keysNamed(name, sections)
      const keys = named.length > 0 ? named : modelKeys(name, sections)
      const [key] = keys
      if (key === undefined)
        throw new CliError(
          `there is no ${sections.map(toNoun).join(' or ')} "${name}", neither in the file nor in the workspace`,
        )
      if (keys.length > 1)
        throw new CliError(
          `"${name}" is the name of several resources; write ${keys.map((each) => `"${each}"`).join(' or ')}`,
        )
      checkUnique(found.get(key) ?? [])
      return key
    },
    findId(key) {
      const id = found.get(key)?.find((each) => each.id !== null)?.id
      if (id == null) throw new CliError(`"${key}" does not exist yet.`)
      return id
    },
    created(key, id) {
      const [first] = found.get(key) ?? []
      if (first) first.id = id
    },
    shortName(key, sections) {
      const name = key.slice(key.indexOf('/') + 1)
      const isClear =
        keysNamed(name, sections).length <= 1 && !sections.some((section) => name.startsWith(`${section}/`))
      return sections.length === 1 || isClear ? name : key
    },
  }
}

function checkUnique(rows: readonly Named[]): void {
  const existing = rows.filter(({ id }) => id !== null)
  const [first] = existing
  if (first && existing.length > 1)
    throw new CliError(
      `there are ${existing.length} ${toNoun(first.section)}s named "${first.name}" (${existing.map(({ id }) => id).join(', ')}); rename all but one`,
    )
}

/** Replaces each name of a reference by the result of `change`. */
export function mapReference(
  { many, except = [] }: Reference,
  value: unknown,
  change: (name: string, index: number | null) => unknown,
): unknown {
  if (many && Array.isArray(value)) return value.map((name, index) => change(String(name), index))
  return typeof value !== 'string' || except.includes(value) ? value : change(value, null)
}

export const readIdentity = (kind: Kind, fields: Fields): string =>
  kind.identify?.(fields) ?? String(fields[kind.identity])
