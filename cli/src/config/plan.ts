import { isDeepStrictEqual } from 'node:util'
import { CliError } from '../failures.ts'
import type { Environment } from '../io.ts'
import { type Canonical, type Comparing, canonical, withFileNames } from './canonical.ts'
import { type Fields, type Kind, kinds, resourcesIn } from './kinds.ts'
import { newest } from './labels.ts'
import { createDirectory, type Directory, makeKey, readIdentity } from './names.ts'
import { newNames, unknownReferences } from './references.ts'
import { type ApiDescription, buildShape } from './schema.ts'
import { environmentValue, listSecrets, type Secret, samePath } from './secrets.ts'
import type { State } from './state.ts'
import type { Path, Problem } from './yaml.ts'

export interface FieldChange {
  field: string
  from: unknown
  to: unknown
}

interface SecretChange {
  secret: Secret
  /** Why it is written. */
  reason: string
}

export interface Change {
  kind: Kind
  name: string
  action: 'create' | 'change' | 'delete' | 'none'
  /** The path of the resource in the file. */
  path: Path
  /** The current row of the service. Null if the resource is new. */
  row: Fields | null
  before: Canonical
  after: Canonical
  fields: FieldChange[]
  secrets: SecretChange[]
}

export interface Plan {
  changes: Change[]
  problems: Problem[]
  directory: Directory
  /** Agents whose handoffs are written after all agents. */
  postponed: Change[]
  /** Secrets that stay as they are, because they cannot be compared. */
  keptSecrets: number
  comparing(kind: Kind, isFile: boolean): Comparing
}

interface Given {
  file: Fields
  description: ApiDescription
  state: State
  environment: Environment
  updateSecrets: boolean
  prune: boolean
}

export function createPlan({ file, description, state, environment, updateSecrets, prune }: Given): Plan {
  const problems: Problem[] = []
  const directory = createDirectory([...state.named, ...newNames(file, state)])
  const defaultEmbedding = findDefaultEmbedding(file, state)
  const shapes = new Map(kinds.map((kind) => [kind.section, buildShape(kind, description)]))
  const comparing = (kind: Kind, isFile: boolean): Comparing => ({
    kind,
    shape: shapes.get(kind.section) ?? {},
    defaultEmbedding,
    toKey(value, sections, path) {
      const isOptional = path[0] === 'scorers' && path.at(-1) === 'tool'
      const found = isFile ? null : directory.byService(value, sections)
      if (found !== null || (!isFile && !isOptional)) return found ?? value
      try {
        return directory.byName(value, sections)
      } catch {
        return value // one of unknownReferences
      }
    },
  })

  const plan: Plan = { changes: [], problems, directory, postponed: [], keptSecrets: 0, comparing }
  for (const kind of kinds) {
    const { section } = kind
    const resources = resourcesIn(file, section)
    const reason = state.unreadable.get(section)
    if (reason !== undefined && resources.length > 0) problems.push({ path: [section], message: reason })
    problems.push(...duplicates(kind, resources))
    for (const [index, fields] of resources.entries()) {
      const path = [section, index]
      const onProblem = (problem: Problem) => problems.push({ ...problem, path: [...path, ...problem.path] })
      const wanted = section === 'labels' ? resolveLabel(fields, state, plan.changes, onProblem) : fields
      const change = planChange(kind, wanted, path, state, comparing(kind, true), comparing(kind, false), onProblem)
      planSecrets(change, fields, environment, updateSecrets, plan, onProblem)
      if (change.action === 'none' && change.fields.length + change.secrets.length > 0) change.action = 'change'
      plan.changes.push(change)
    }
    if (prune && section in file) plan.changes.push(...deletions(kind, resources, state))
  }
  problems.push(...unknownReferences(file, state))
  return plan
}

function planChange(
  kind: Kind,
  fields: Fields,
  path: Path,
  state: State,
  inFile: Comparing,
  inService: Comparing,
  onProblem: (problem: Problem) => void,
): Change {
  const name = readIdentity(kind, fields)
  const rows = (state.rows.get(kind.section) ?? []).filter((row) => readIdentity(kind, row) === name)
  if (rows.length > 1)
    onProblem({ path: [kind.identity], message: `${notUnique(kind, name, rows)} Rename all but one in the workspace.` })
  const [row = null] = rows
  const after = canonical(fields, inFile)
  const before = row === null ? {} : canonical(withFileNames(kind, row), inService)
  const isKept = (field: string) =>
    (inFile.shape[field]?.['x-derived'] === true || kind.kept?.includes(field)) && fields[field] === undefined
  const changed = [...new Set([...Object.keys(inFile.shape)])]
    .filter((field) => !isKept(field) && !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }))
  for (const { field } of row === null ? [] : changed)
    if (kind.fixed?.includes(field))
      onProblem({ path: [field], message: 'cannot be changed. Use another name, or delete the old one first.' })
  return {
    kind,
    name,
    action: row === null ? 'create' : 'none',
    path,
    row,
    before,
    after,
    fields: changed,
    secrets: [],
  }
}

/**
 * A label of the newest version is compared by its number, unless the version is made while the file is applied. Reports a
 * number that does not exist: versions are counted in each workspace.
 */
function resolveLabel(
  fields: Fields,
  state: State,
  changes: readonly Change[],
  onProblem: (problem: Problem) => void,
): Fields {
  const { agent, prompt_template, version, gate } = fields
  if ((agent === undefined) === (prompt_template === undefined)) {
    onProblem({ path: [], message: 'must have an agent or a prompt_template' })
    return fields
  }
  if (prompt_template !== undefined && gate != null)
    onProblem({ path: ['gate'], message: 'is for labels of agents only' })
  const section = agent === undefined ? 'prompt_templates' : 'agents'
  const name = agent ?? prompt_template
  const planned = changes.find(({ kind, name: each }) => kind.section === section && each === name)
  const isWritten = planned?.action === 'create' || planned?.action === 'change'
  const row = (state.rows.get(section) ?? []).find((each) => each.name === name)
  const last = Number(row?.version ?? 0) + (isWritten ? 1 : 0)
  if (version === newest) return isWritten || !row ? fields : { ...fields, version: last }
  if (Number(version) > last && (row || planned))
    onProblem({
      path: ['version'],
      message: `does not exist: the newest version of "${name}" is ${last}. Write "${newest}" for it`,
    })
  return fields
}

/** A change of these may send a secret to another address, so the service wants the secret again. */
const addressFields = ['endpoint', 'provider', 'url', 'auth']

function planSecrets(
  change: Change,
  fields: Fields,
  environment: Environment,
  updateSecrets: boolean,
  plan: Plan,
  onProblem: (problem: Problem) => void,
): void {
  const stored = change.row === null ? [] : listSecrets(change.kind, change.row)
  for (const secret of listSecrets(change.kind, fields)) {
    const value = environmentValue(environment, secret)
    const known = stored.find(({ path, isSet }) => isSet && samePath(path, secret.path))
    const reason = reasonToWrite(change, known, value, updateSecrets)
    if (reason === null) plan.keptSecrets++
    else if (value !== null) change.secrets.push({ secret, reason })
    else if (reason !== moved || isAtNewAddress(change))
      onProblem({ path: secret.path, message: `the variable ${secret.variable} is not set or empty (${reason})` })
    else plan.keptSecrets++
  }
}

const moved = 'its address changes'

/** Null: it stays as it is. */
function reasonToWrite(
  { row, fields }: Change,
  known: Secret | undefined,
  value: string | null,
  updateSecrets: boolean,
): string | null {
  if (row === null) return 'new'
  if (known === undefined) return 'not set in the workspace'
  if (updateSecrets) return '--update-secrets'
  if (known.hint !== null && value !== null && !value.endsWith(known.hint))
    return `differs from the one that ends in ${known.hint}`
  return fields.some(({ field }) => addressFields.includes(field)) ? moved : null
}

const isAtNewAddress = ({ fields }: Change): boolean =>
  fields.some(({ field, from, to }) => {
    if (field !== 'url' && field !== 'endpoint') return field === 'provider'
    const origin = (value: unknown) => (URL.canParse(String(value)) ? new URL(String(value)).origin : String(value))
    return origin(from) !== origin(to)
  })

function deletions(kind: Kind, resources: readonly Fields[], state: State): Change[] {
  const names = new Set(resources.map((fields) => readIdentity(kind, fields)))
  return (state.rows.get(kind.section) ?? [])
    .filter((row) => !names.has(readIdentity(kind, row)) && row.provider !== 'local')
    .map((row) => ({
      kind,
      name: readIdentity(kind, row),
      action: 'delete',
      path: [],
      row,
      before: {},
      after: {},
      fields: [],
      secrets: [],
    }))
}

function duplicates(kind: Kind, resources: readonly Fields[]): Problem[] {
  const seen = new Set<string>()
  return resources.flatMap((fields, index): Problem[] => {
    const name = readIdentity(kind, fields)
    if (!seen.has(name)) return seen.add(name) && []
    return [{ path: [kind.section, index, kind.identity], message: `"${name}" is there twice` }]
  })
}

const notUnique = (kind: Kind, name: string, rows: readonly Fields[]): string =>
  `There are ${rows.length} ${kind.noun}s with the ${kind.identity} "${name}" (${rows.map(({ id }) => id).join(', ')}).`

/** Throws if names of the workspace cannot be told apart. */
export function refuseSameNames(state: State): void {
  const problems = kinds.flatMap((kind) => {
    const rows = Map.groupBy(state.rows.get(kind.section) ?? [], (row) => readIdentity(kind, row))
    return [...rows].flatMap(([name, same]) => (same.length > 1 ? [notUnique(kind, name, same)] : []))
  })
  if (problems.length > 0)
    throw new CliError(problems.join('\n'), 'A file refers to resources by name: rename all but one of each.')
}

function findDefaultEmbedding(file: Fields, { rows }: State): string | null {
  const isDefault = (model: Fields) => model.is_default === true && model.type === 'embedding'
  const model = resourcesIn(file, 'models').find(isDefault) ?? (rows.get('models') ?? []).find(isDefault)
  return model ? makeKey('models', String(model.name)) : null
}
