import pMap from 'p-map'
import type { Parley, Schemas } from '../client.ts'
import { isParleyError } from '../client.ts'
import type { Connection } from '../connection.ts'
import { hintFor } from '../errors.ts'
import { type Check, fail, ok, warn } from './check.ts'

const timeout = 10_000
const modelTimeout = 60_000
const maxSkew = 30_000
const maxModels = 4

interface Doctor {
  client: Parley
  connection: Connection
  /** The version of this checkout. */
  version: string
  testsModels: boolean
}

/** Checks a running service through its API. */
export async function inspectService({ client, connection, version, testsModels }: Doctor): Promise<Check[]> {
  const { url, token, origin } = connection
  let health: Schemas['Health']
  try {
    health = await client.health({ timeout, maxRetries: 0 })
  } catch (error) {
    return [failure('Service', error, `${url} (${origin.url})`)]
  }
  const service =
    health.version === version
      ? ok('Service', `${url}, version ${health.version}`)
      : warn(
          'Service',
          `${url} is version ${health.version}, this checkout is ${version}`,
          'Use the command line of the same version.',
        )
  const checks = [service, await inspectClock(url), ...inspectHealth(health)]
  if (health.database === 'disconnected') return checks // everything else needs it
  if (token === null) {
    return [...checks, fail('Token', 'none was found', 'Set PARLEY_TOKEN, or run: parley login')]
  }
  try {
    const me = await client.me({ timeout })
    checks.push(ok('Token', `${me.role} of workspace ${me.workspace.name}, from ${origin.token}`))
  } catch (error) {
    return [...checks, failure('Token', error, `from ${origin.token}`)]
  }
  return [...checks, await inspectStatus(client), ...(await inspectModels(client, testsModels))]
}

function inspectHealth({ database, vector_db }: Schemas['Health']): Check[] {
  if (database === 'disconnected') {
    const hint = 'Start Postgres, or correct DATABASE_URL of the service. Its log names the error.'
    return [fail('Database of the service', 'the service runs, but its database is down', hint)]
  }
  if (vector_db === 'disconnected') {
    const hint = 'Knowledge cannot be searched. See the log of the service.'
    return [fail('Search of the service', 'the search index does not respond', hint)]
  }
  return []
}

const failure = (name: string, error: unknown, place: string): Check => {
  // Something other than Parley may answer with anything.
  if (!isParleyError(error)) return fail(name, (error as Error).message, hintFor('unexpected_response') ?? '')
  return fail(name, `${error.message} ${place}`, hintFor(error.code) ?? 'See the log of the service.')
}

/** Signatures and expiry dates depend on the clocks of both machines. */
async function inspectClock(url: string): Promise<Check> {
  const before = Date.now()
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/health`, { signal: AbortSignal.timeout(timeout) }).catch(
    () => null,
  )
  await response?.body?.cancel()
  const served = Date.parse(response?.headers.get('date') ?? '')
  if (Number.isNaN(served))
    return warn('Clock', 'the service did not say its time', 'A proxy may remove the Date header.')
  // The header has whole seconds.
  const skew = Math.max(0, Math.abs(served + 500 - (before + Date.now()) / 2) - 1000)
  const message = `${Math.round(skew / 1000)} s between this machine and the service`
  if (skew < maxSkew) return ok('Clock', message)
  return warn('Clock', message, 'Set both clocks by NTP. Webhook signatures and sign-ins fail when clocks differ.')
}

async function inspectStatus(client: Parley): Promise<Check> {
  try {
    const { status, components, jobs } = await client.status({ timeout })
    const down = Object.entries(components).flatMap(([name, { status }]) =>
      status === 'operational' ? [] : `${name}: ${status}`,
    )
    if (status === 'operational')
      return ok('Status', `operational, ${jobs.running ?? 0} jobs running, ${jobs.queued ?? 0} queued`)
    return fail('Status', `degraded (${down.join(', ')})`, 'See the log of the service.')
  } catch (error) {
    return failure('Status', error, '')
  }
}

async function inspectModels(client: Parley, tests: boolean): Promise<Check[]> {
  try {
    const models = await client.models.list().all()
    const hasDefault = models.some(({ type, is_default }) => type === 'chat' && is_default)
    const defaults = hasDefault
      ? []
      : [
          warn(
            'Models',
            'there is no default chat model',
            'Agents without a model cannot answer: parley models create --default',
          ),
        ]
    if (!tests) return [...defaults, ok('Models', `${models.length} models, not tested`)]
    const checks = await pMap(models, (model) => testModel(client, model), { concurrency: maxModels })
    return [...defaults, ...checks.sort((one, other) => (one.name < other.name ? -1 : 1))]
  } catch (error) {
    if (isParleyError(error, 'forbidden'))
      return [warn('Models', 'this token may not read them', hintFor('forbidden') ?? '')]
    return [failure('Models', error, '')]
  }
}

async function testModel(client: Parley, { id, name, provider }: Schemas['Model']): Promise<Check> {
  const label = `Model ${name}`
  const hint = `Check its key, endpoint and network: parley models get ${id}`
  try {
    const { ok: works, latency_ms, error } = await client.models.test(id, { timeout: modelTimeout, maxRetries: 0 })
    return works
      ? ok(label, `${provider}, answered in ${latency_ms} ms`)
      : fail(label, error ?? 'it did not answer', hint)
  } catch (error) {
    if (isParleyError(error, 'forbidden')) return warn(label, 'this token may not test it', hintFor('forbidden') ?? '')
    return failure(label, error, '')
  }
}
