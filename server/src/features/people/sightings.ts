import type { Context } from '../../kernel/context.ts'
import type { People } from '../../kernel/people.ts'
import { oidcIdentity } from '../../kernel/personal-data.ts'
import type { Secrets } from '../../kernel/secrets/secrets.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { minute, second, timestamp } from '../../kernel/time.ts'
import type { PersonRow } from './migrations.ts'

/** Whether a marker belongs to this person can only be said with the key of the service. */
export const personMarker = (secrets: Secrets, workspace: string, userId: string): string =>
  `erased_${secrets.hash(userId, `${workspace} person`).slice(0, 32)}`

interface Sighting {
  workspace: string
  userId: string
  at: number
  /** From the person's own request. */
  known?: Pick<PersonRow, 'name' | 'groups' | 'role'>
}

type Parts = Pick<Context, 'db' | 'now' | 'newId' | 'secrets' | 'log'>

const flushInterval = 30 * second
const batchSize = 100
/** A constantly active person is written at most this often. */
const exactTo = minute

export function createPeople(parts: Parts): People {
  const { now, log } = parts
  let sightings = new Map<string, Sighting>()
  let flushing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const add = (sighting: Sighting): void => {
    if (sightings.size === 0) timer = setTimeout(() => void flush().catch(() => {}), flushInterval).unref()
    const key = `${sighting.workspace} ${sighting.userId}`
    sightings.set(key, { ...sightings.get(key), ...sighting })
  }

  const write = async (): Promise<void> => {
    const byWorkspace = Map.groupBy(sightings.values(), ({ workspace }) => workspace)
    sightings = new Map()
    for (const [workspace, all] of byWorkspace) {
      for (let start = 0; start < all.length; start += batchSize)
        await writeBatch(parts, workspace, all.slice(start, start + batchSize)).catch((error) => {
          log.warn({ err: error }, 'could not store who was seen')
        })
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    if (sightings.size > 0) flushing = flushing.then(write)
    return flushing
  }

  return {
    sent({ workspace, userId, token, name = null, groups, role }) {
      if (userId === null) return
      // The name of a token is not the name of its user.
      const ownName = token === oidcIdentity(userId) && name !== userId ? name : null
      add({ workspace, userId, at: now(), known: { name: ownName, groups: JSON.stringify(groups), role } })
    },
    joined({ workspace, userId, name = null, groups, role }) {
      if (userId !== null) add({ workspace, userId, at: now(), known: { name, groups: JSON.stringify(groups), role } })
    },
    seen(workspace, userId) {
      if (userId !== null) add({ workspace, userId, at: now() })
    },
    flush,
  }
}

const writeBatch = (parts: Parts, workspace: string, sightings: Sighting[]): Promise<void> =>
  inTransaction(parts.db, async (tx) => {
    const rows = await tx
      .selectFrom('person')
      .select(['id', 'user_id', 'name', 'groups', 'role', 'last_seen_at'])
      .where('workspace_id', '=', workspace)
      .where(
        'user_id',
        'in',
        sightings.map(({ userId }) => userId),
      )
      .execute()
    const known = new Map(rows.map((row) => [row.user_id, row]))
    for (const sighting of sightings) {
      const row = known.get(sighting.userId)
      if (row) await update(tx, workspace, row, sighting)
    }
    await insert(
      parts,
      tx,
      workspace,
      sightings.filter(({ userId }) => !known.has(userId)),
    )
  })

type Known = Pick<PersonRow, 'id' | 'name' | 'groups' | 'role' | 'last_seen_at'>

/** Does nothing if the person was erased meanwhile. */
async function update(tx: Db, workspace: string, row: Known, { at, known }: Sighting): Promise<void> {
  const next = { groups: known?.groups ?? row.groups, role: known?.role ?? row.role, name: known?.name ?? row.name }
  const isSame = next.groups === row.groups && next.role === row.role && next.name === row.name
  if (isSame && at - Date.parse(row.last_seen_at) < exactTo) return
  const last_seen_at = timestamp(Math.max(at, Date.parse(row.last_seen_at)))
  await tx
    .updateTable('person')
    .set((is) => ({ ...next, last_seen_at, updated_at: last_seen_at, revision: is('revision', '+', 1) }))
    .where('workspace_id', '=', workspace)
    .where('id', '=', row.id)
    .execute()
}

async function insert({ newId, secrets }: Parts, tx: Db, workspace: string, sightings: Sighting[]): Promise<void> {
  const fresh = await withoutErased(secrets, tx, workspace, sightings)
  if (fresh.length === 0) return
  const rows = fresh.map(({ userId, at, known }): PersonRow => {
    const time = timestamp(at)
    return {
      id: newId('usr'),
      workspace_id: workspace,
      user_id: userId,
      ...(known ?? { name: null, groups: '[]', role: null }),
      first_seen_at: time,
      last_seen_at: time,
      revision: 1,
      created_at: time,
      updated_at: time,
    }
  })
  await tx
    .insertInto('person')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()) // another node was first
    .execute()
}

/** Drops sightings from before an erasure, so that an erased person does not reappear. */
async function withoutErased(secrets: Secrets, tx: Db, workspace: string, sightings: Sighting[]): Promise<Sighting[]> {
  if (sightings.length === 0) return []
  const markers = new Map(sightings.map((each) => [each, personMarker(secrets, workspace, each.userId)]))
  const erasures = await tx
    .selectFrom('person_job')
    .select(['subject', 'finished_at'])
    .where('workspace_id', '=', workspace)
    .where('subject', 'in', [...markers.values()])
    .where('kind', '=', 'erase')
    .execute()
  const isErased = (sighting: Sighting) =>
    erasures.some(
      ({ subject, finished_at }) =>
        subject === markers.get(sighting) && (finished_at === null || finished_at >= timestamp(sighting.at)),
    )
  return sightings.filter((sighting) => !isErased(sighting))
}
