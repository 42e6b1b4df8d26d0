import { isDeepStrictEqual } from 'node:util'
import type { Parley } from '../client.ts'
import { CliError } from '../failures.ts'
import type { Environment } from '../io.ts'
import { canonical, withFileNames, withNames } from './canonical.ts'
import type { Fields } from './kinds.ts'
import { makeKey } from './names.ts'
import type { Change, Plan } from './plan.ts'
import { environmentValue, withValue } from './secrets.ts'
import { readNow } from './state.ts'

/** Creates and changes in the order of the kinds, then deletes in the other one. */
export function inOrder({ changes }: Plan): Change[] {
  const deleted = agentsBeforeTheirTools(changes.filter(({ action }) => action === 'delete').reverse())
  const written = changes.filter(({ action }) => action === 'create' || action === 'change')
  return [...agentsAfterTheirTools(written), ...deleted]
}

/** Agents that are tools of others are deleted after these, because the service keeps what is in use. */
function agentsBeforeTheirTools(deleted: Change[]): Change[] {
  const ordered = new Set<Change>()
  const visit = (change: Change): void => {
    for (const other of deleted) if (!ordered.has(other) && idsIn(other, 'tools').includes(idIn(change))) visit(other)
    ordered.add(change)
  }
  for (const change of deleted) visit(change)
  return [...ordered]
}

const idIn = ({ row }: Change): string => String(row?.id)

/** The ids that a resource of the workspace names in a field. */
const idsIn = ({ row }: Change, field: string): string[] =>
  Array.isArray(row?.[field]) ? row[field].map((id) => String(id)) : []

/** Agents that pass conversations on to each other keep each other from being deleted, so those that go let go first. */
export async function releaseHandoffs(client: Parley, deleted: readonly Change[]): Promise<void> {
  const gone = new Set(deleted.map(idIn))
  for (const change of deleted) {
    const handoffs = idsIn(change, 'handoffs')
    const kept = handoffs.filter((id) => !gone.has(id))
    if (kept.length < handoffs.length) await change.kind.of(client).update(idIn(change), { handoffs: kept })
  }
}

/** Agents that are tools of others are written before these. A circle is left to the service, which refuses it. */
function agentsAfterTheirTools(changes: Change[]): Change[] {
  const byKey = new Map(changes.map((change) => [makeKey(change.kind.section, change.name), change]))
  const ordered = new Set<Change>()
  const visit = (change: Change, path: readonly Change[]): void => {
    for (const key of keysIn(change, 'tools')) {
      const used = byKey.get(key)
      if (used && used !== change && !path.includes(used)) visit(used, [...path, change])
    }
    ordered.add(change)
  }
  for (const change of changes) visit(change, [])
  return [...ordered]
}

/** The agents that an agent names in a field. */
const keysIn = ({ kind, after }: Change, field: string): string[] =>
  kind.section === 'agents' && Array.isArray(after[field]) ? after[field].map(String) : []

/** Agents can pass conversations on to each other, so handoffs to agents that do not exist yet are written after all agents. */
export async function writePostponed(client: Parley, { postponed, directory }: Plan): Promise<void> {
  for (const { kind, name, after } of postponed) {
    const id = directory.findId(makeKey(kind.section, name))
    const { handoffs } = withNames(kind, after, (key) => directory.findId(key), 'to-service')
    await kind.of(client).update(id, { handoffs })
  }
}

function withoutPostponed(plan: Plan, change: Change): Change {
  const exists = (key: string) => {
    try {
      return plan.directory.findId(key) !== ''
    } catch {
      return false
    }
  }
  if (keysIn(change, 'handoffs').every(exists)) return change
  plan.postponed.push(change)
  const { handoffs: _, ...after } = change.after
  return { ...change, after, fields: change.fields.filter(({ field }) => field !== 'handoffs') }
}

export async function execute(client: Parley, plan: Plan, planned: Change, environment: Environment): Promise<void> {
  const change = withoutPostponed(plan, planned)
  const { kind, name, action, row } = change
  const resource = kind.of(client)
  if (row === null) {
    const created = await resource.create(changeBody(plan, change, environment))
    plan.directory.created(makeKey(kind.section, name), String(created.id))
    return
  }
  const now = await readNow(client, kind, row)
  const current = canonical(withFileNames(kind, now.row), plan.comparing(kind, false))
  if (action === 'change' && !isDeepStrictEqual(current, change.before))
    throw new CliError('It was changed by somebody else meanwhile.')
  const options = now.ifMatch === undefined ? {} : { ifMatch: now.ifMatch }
  if (action === 'delete') await resource.delete(String(row.id), options)
  else await resource.update(String(row.id), changeBody(plan, change, environment), options)
}

/** The request body of a change. Null resets a field that the file does not have. */
function changeBody(plan: Plan, { kind, after, row, fields, secrets }: Change, environment: Environment): Fields {
  const wanted = withNames(kind, after, (key) => plan.directory.findId(key), 'to-service')
  const names = fields.map(({ field }) => kind.references[field]?.api ?? field)
  let body = row === null ? wanted : Object.fromEntries(names.map((name) => [name, wanted[name] ?? null]))
  for (const { secret } of secrets) {
    const [first = ''] = secret.path
    if (body[first] == null && wanted[first] !== undefined) body = { ...body, [first]: wanted[first] }
    body = withValue(structuredClone(body), secret.path, environmentValue(environment, secret))
  }
  return body
}
