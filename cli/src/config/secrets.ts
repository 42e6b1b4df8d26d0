import type { Environment } from '../io.ts'
import type { Fields, Kind } from './kinds.ts'
import { environmentReference } from './schema.ts'

type SecretPath = (string | number)[]

export interface Secret {
  path: SecretPath
  /** In a file: the variable with its value. */
  variable: string | null
  /** In the service: whether it is set. */
  isSet: boolean
  /** In the service: its last characters, where they are shown. */
  hint: string | null
}

const ofCredentials = ['token', 'value', 'password', 'client_secret']

/** The secrets of a resource, in a file or of the service. */
export function listSecrets({ section }: Kind, fields: Fields): Secret[] {
  if (section === 'models') return secretIn(fields, 'api_key', [], fields.api_key_hint as string | null)
  if (section !== 'api_tools') return []
  const auth = (fields.auth ?? {}) as Fields
  const additional = (auth.additional ?? []) as Fields[]
  return [
    ...ofCredentials.flatMap((name) => secretIn(auth, name, ['auth'])),
    ...additional.flatMap((each, index) =>
      ofCredentials.flatMap((name) => secretIn(each, name, ['auth', 'additional', index])),
    ),
  ]
}

function secretIn(fields: Fields, name: string, path: SecretPath, hint: string | null = null): Secret[] {
  const value = fields[name]
  const variable = typeof value === 'string' ? (environmentReference.exec(value)?.[1] ?? null) : null
  const isSet = fields[`${name}_set`] === true
  return variable === null && !isSet ? [] : [{ path: [...path, name], variable, isSet, hint: hint ?? null }]
}

export const samePath = (one: SecretPath, other: SecretPath): boolean => one.join('/') === other.join('/')

/** Sets a value in a copy of an object. */
export function withValue(fields: Fields, [name = '', ...rest]: SecretPath, value: unknown): Fields {
  const copy = (Array.isArray(fields) ? [...fields] : { ...fields }) as Fields
  copy[name] = rest.length === 0 ? value : withValue((copy[name] ?? {}) as Fields, rest, value)
  return copy
}

/**
 * Names variables by their purpose. They start with PARLEY_MODEL_ or PARLEY_TOOL_, so that no name in a
 * workspace can make them the name of another secret of the machine that applies the file.
 */
export function variableNames(): (kind: Kind, name: string, path: SecretPath) => string {
  const used = new Set<string>()
  return ({ section }, name, path) => {
    const words = [section === 'models' ? 'MODEL' : 'TOOL', name, ...path.filter((part) => part !== 'auth')]
    const base = `PARLEY_${words.map(upper).filter(Boolean).join('_')}`
    let unique = base
    for (let n = 2; used.has(unique); n++) unique = `${base}_${n}`
    used.add(unique)
    return unique
  }
}

const upper = (part: string | number): string =>
  String(part)
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
    .slice(0, 60)

export const environmentValue = (environment: Environment, { variable }: Secret): string | null =>
  (variable !== null && environment[variable]) || null
