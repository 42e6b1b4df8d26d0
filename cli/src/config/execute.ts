import { isDeepStrictEqual } from 'node:util'
import type { Parley } from '../client.ts'
import { CliError } from '../failures.ts'
import type { Environment } from '../io.ts'
import { canonical, withFileNames, withNames } from './canonical.ts'
import type { Fields } from './kinds.ts'
import { keyOf } from './names.ts'
import type { Change, Plan } from './plan.ts'
import { environmentValue, withValue } from './secrets.ts'
import { readNow } from './state.ts'

/** Creates and changes in the order of the kinds, then deletes in the other one. */
export function inOrder({ changes }: Plan): Change[] {
  const deleted = changes.filter(({ action }) => action === 'delete')
  return [...changes.filter(({ action }) => action === 'create' || action === 'change'), ...deleted.reverse()]
}

export async function execute(client: Parley, plan: Plan, change: Change, environment: Environment): Promise<void> {
  const { kind, name, action, row } = change
  const resource = kind.of(client)
  if (row === null) {
    const created = await resource.create(changeBody(plan, change, environment))
    plan.directory.created(keyOf(kind.section, name), String(created.id))
    return
  }
  const now = await readNow(client, kind, row)
  const current = canonical(withFileNames(kind, now.row), plan.comparing(kind, false))
  if (action === 'change' && !isDeepStrictEqual(current, change.before))
    throw new CliError('It was changed by somebody else meanwhile.')
  if (action === 'delete') await resource.delete(String(row.id), { ifMatch: now.ifMatch })
  else await resource.update(String(row.id), changeBody(plan, change, environment), { ifMatch: now.ifMatch })
}

/** The request body of a change. Null resets a field that the file does not have. */
function changeBody(plan: Plan, { kind, after, row, fields, secrets }: Change, environment: Environment): Fields {
  const wanted = withNames(kind, after, (key) => plan.directory.idOf(key), 'to-service')
  const names = fields.map(({ field }) => kind.references[field]?.api ?? field)
  let body = row === null ? wanted : Object.fromEntries(names.map((name) => [name, wanted[name] ?? null]))
  for (const { secret } of secrets) {
    const [first = ''] = secret.path
    if (body[first] == null && wanted[first] !== undefined) body = { ...body, [first]: wanted[first] }
    body = withValue(structuredClone(body), secret.path, environmentValue(environment, secret))
  }
  return body
}
