import { isDeepStrictEqual } from 'node:util'
import {
  actionReferences,
  type Fields,
  hasScorers,
  type Kind,
  type Reference,
  scorerReferences,
  type Target,
} from './kinds.ts'
import { mapReference } from './names.ts'
import type { Schema, Shape } from './schema.ts'

/**
 * A resource in the form in which the service and a file are compared: without secrets and default values, and with
 * references as `section/name`. If both forms are equal, nothing has to be changed.
 */
export type Canonical = Fields

export interface Comparing {
  kind: Kind
  shape: Shape
  /** Turns a name or an id into a key. `path` is where it is in the resource. */
  toKey(value: string, sections: readonly Target[], path: (string | number)[]): unknown
  /** The key of the default model for embeddings. */
  defaultEmbedding: string | null
}

/** Makes a resource comparable. Its references are names, as in the file. */
export function canonical(fields: Fields, comparing: Comparing): Canonical {
  const { kind, shape } = comparing
  const result: Fields = {}
  for (const [name, schema] of Object.entries(shape)) {
    if (schema.description === 'secret') continue
    const value = normalized(name, fields, comparing)
    if (value === undefined || value === null) continue
    if (name !== kind.identity && isDeepStrictEqual(value, findDefault(name, schema, fields, comparing))) continue
    result[name] = value
  }
  return result
}

function normalized(name: string, fields: Fields, comparing: Comparing): unknown {
  const { kind } = comparing
  const value = fields[name]
  if (value === undefined || value === null) return value
  const reference = kind.references[name]
  if (reference) return withKeys(reference, value, fields, comparing, [name])
  const normalize = normalizers[`${kind.section}.${name}`] ?? normalizers[name]
  return normalize ? normalize(value as never, comparing) : value
}

function withKeys(
  reference: Reference,
  value: unknown,
  fields: Fields,
  { toKey }: Comparing,
  path: (string | number)[],
): unknown {
  const sections = reference.to(fields)
  if (sections === null) return value
  return mapReference(reference, value, (name, index) =>
    toKey(name, sections, index === null ? path : [...path, index]),
  )
}

const overlap = { max: 60, share: 0.15 }

/** The value of a field that the resource does not have. */
function findDefault(name: string, schema: Schema, fields: Fields, { kind, defaultEmbedding }: Comparing): unknown {
  if (name === 'embedding_model') return defaultEmbedding
  if (name === 'chunk_overlap')
    return Math.min(overlap.max, Math.floor(Number(fields.chunk_size ?? 400) * overlap.share))
  if (kind.section === 'evaluations' && name === 'scorers') return [{ type: 'similarity' }]
  if (kind.section === 'api_tools' && name === 'parameters') return { type: 'object', properties: {} }
  return schema.default
}

type Access = { groups?: string[]; users?: string[] }

/** Sorted, because the service sorts groups and users too. */
const access = ({ groups = [], users = [] }: Access): Access => ({
  ...(groups.length > 0 && { groups: [...new Set(groups)].sort() }),
  ...(users.length > 0 && { users: [...new Set(users)].sort() }),
})

type Approvers = Access & { exclude_requester?: boolean }

const approvers = ({ exclude_requester, ...names }: Approvers): Approvers => ({
  ...access(names),
  ...(exclude_requester && { exclude_requester }),
})

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** Drops the fields that have their default value. */
const without = (fields: Fields, defaults: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(value, defaults[name])))

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))

const credentialDefaults: Fields = { in: 'header', name: 'X-API-Key' }
const secretFields = ['token', 'value', 'password', 'client_secret']

function credential(auth: Fields): Fields {
  const shown = Object.entries(auth).filter(([name]) => !/_set$/.test(name) && !secretFields.includes(name))
  const fields = without(Object.fromEntries(shown), credentialDefaults)
  const additional = auth.additional as Fields[] | undefined
  delete fields.additional
  return additional && additional.length > 0 ? { ...fields, additional: additional.map(credential) } : fields
}

/** The default settings of scorers. A test compares them with those of the service. */
export const scorerDefaults: Record<string, { threshold: number; config: Fields }> = {
  exact_match: { threshold: 1, config: { ignore_case: false, ignore_whitespace: false, trim: true } },
  contains: { threshold: 1, config: { ignore_case: false, ignore_whitespace: false, mode: 'all' } },
  regex: { threshold: 1, config: { flags: '' } },
  json_match: { threshold: 1, config: { subset: false } },
  json_schema: { threshold: 1, config: {} },
  similarity: { threshold: 0.65, config: {} },
  llm_judge: { threshold: 0.7, config: {} },
  tool_called: { threshold: 1, config: {} },
  retrieval_hit: { threshold: 0.1, config: { k: 10 } },
  latency: { threshold: 1, config: {} },
  cost: { threshold: 1, config: {} },
}

type Scorer = { type: string; threshold?: number | null; config?: Fields }

function scorer({ type, threshold, config = {} }: Scorer, index: number, comparing: Comparing): Fields {
  const defaults = scorerDefaults[type]
  const k = Number(config.k ?? 10)
  const usual = type === 'retrieval_hit' ? 1 / k : defaults?.threshold
  const kept: Fields = without(config, defaults?.config ?? {})
  const inConfig = scorerReferences[type]
  if (inConfig) {
    const { field, reference } = inConfig
    const value = config[field] ?? config[reference.api]
    delete kept[reference.api]
    if (value !== undefined)
      kept[field] = withKeys(reference, value, {}, comparing, ['scorers', index, 'config', field])
  }
  return {
    type,
    ...(threshold != null && threshold !== usual && { threshold }),
    ...(!isEmpty(kept) && { config: kept }),
  }
}

const normalizers: Record<string, (value: never, comparing: Comparing) => unknown> = {
  access,
  approvers,
  access_rules: (rules: { path?: string; metadata?: Fields; access: Access }[]) =>
    rules.map((rule) => ({
      ...(rule.path !== undefined && { path: rule.path }),
      ...(rule.metadata !== undefined && { metadata: rule.metadata }),
      access: access(rule.access),
    })),
  'knowledge_sources.configuration': (configuration: Fields) => {
    const documents = configuration.documents as Fields[] | undefined
    return { ...configuration, ...(documents && { documents: documents.map(withoutEmpty) }) }
  },
  'evaluations.test_cases': (cases: Fields[]) => cases.map(withoutEmpty),
  scorers: (scorers: Scorer[], comparing) => scorers.map((each, index) => scorer(each, index, comparing)),
  'monitors.alert': (alert: Fields) => without(alert, { window: 50 }),
  'experiments.variants': (variants: Fields[]) =>
    variants.map(({ label, version, weight }) => withoutEmpty({ label, version, weight })),
  'schedules.action': (action: Fields, comparing) => {
    const { field = '', reference } = actionReferences[String(action.type)] ?? {}
    const { [reference?.api ?? '']: id, [field]: name, ...rest } = withoutEmpty(action)
    const value = name ?? id
    if (!reference || value === undefined) return rest
    return { ...rest, [field]: withKeys(reference, value, {}, comparing, ['action', field]) }
  },
  'api_tools.auth': credential,
  'models.pricing': (pricing: Fields) => {
    const value = (name: string) => pricing[name] ?? pricing[`${name}_per_1k`]
    const names = ['input', 'output', 'cached_input', 'cache_write']
    return withoutUndefined(Object.fromEntries(names.map((name) => [name, value(name)])))
  },
}

const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** A row of the service with the names of the file. */
export function withFileNames({ references }: Kind, row: Fields): Fields {
  const names = new Map(Object.entries(references).map(([field, { api }]) => [api, field]))
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [names.get(name) ?? name, value]))
}

/** Replaces the keys of a canonical resource by what `name` returns: ids for the service, short names for a file. */
export function withNames(
  { references, section }: Kind,
  fields: Canonical,
  name: (key: string, sections: readonly Target[]) => string,
  direction: 'to-service' | 'to-file',
): Fields {
  const result: Fields = {}
  for (const [field, value] of Object.entries(fields)) {
    const reference = references[field]
    const sections = reference?.to(fields) ?? null
    if (hasScorers(section) && field === 'scorers')
      result[field] = (value as Scorer[]).map((each) => scorerWithNames(each, name, direction))
    else if (section === 'schedules' && field === 'action')
      result[field] = actionWithNames(value as Fields, name, direction)
    else if (reference === undefined || sections === null)
      result[direction === 'to-service' ? (reference?.api ?? field) : field] = value
    else
      result[direction === 'to-service' ? reference.api : field] = mapReference(reference, value, (key) =>
        name(key, sections),
      )
  }
  return result
}

function actionWithNames(
  action: Fields,
  name: (key: string, sections: readonly Target[]) => string,
  direction: 'to-service' | 'to-file',
): Fields {
  const { field = '', reference } = actionReferences[String(action.type)] ?? {}
  const { [field]: key, ...rest } = action
  if (!reference || typeof key !== 'string') return action
  return { ...rest, [direction === 'to-service' ? reference.api : field]: name(key, reference.to({}) ?? []) }
}

function scorerWithNames(
  scorer: Scorer,
  name: (key: string, sections: readonly Target[]) => string,
  direction: 'to-service' | 'to-file',
): Scorer {
  const inConfig = scorerReferences[scorer.type]
  const key = inConfig && scorer.config?.[inConfig.field]
  const sections = inConfig?.reference.to({}) ?? []
  if (typeof key !== 'string' || !sections.some((section) => key.startsWith(`${section}/`))) return scorer
  const { [inConfig?.field ?? '']: _, ...config } = scorer.config ?? {}
  const field = direction === 'to-service' ? inConfig?.reference.api : inConfig?.field
  return { ...scorer, config: { ...config, [field ?? '']: name(key, sections) } }
}
