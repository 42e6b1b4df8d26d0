import { isParleyError, type Parley, readEtag } from '../client.ts'
import { CliError } from '../failures.ts'
import { type Fields, type Kind, kinds, type Section } from './kinds.ts'
import { type Named, readIdentity } from './names.ts'
import type { ApiDescription } from './schema.ts'

/** The current resources of the service. */
export interface State {
  rows: Map<Section, Fields[]>
  /** Sections that the token may not read, with the reason. */
  unreadable: Map<Section, string>
  named: Named[]
}

export function readDescription(client: Parley): Promise<ApiDescription> {
  return client.request<ApiDescription>('GET', '/openapi.json')
}

interface Wanted {
  /** Whether all fields of a row are needed. */
  details(kind: Kind, name: string): boolean
  /** Whether the names of tokens are needed. */
  tokens: boolean
  /** Whether labels are needed. They take a request for each agent and prompt template. */
  labels: boolean
}

export async function readState(client: Parley, { details, tokens, labels }: Wanted): Promise<State> {
  const state: State = { rows: new Map(), unreadable: new Map(), named: [] }
  for (const kind of kinds) {
    if (kind.section === 'labels' && !labels) continue
    try {
      const listed = await listAll(client, kind)
      const rows: Fields[] = []
      for (const row of listed) {
        const isWanted = !kind.isListedWhole && details(kind, readIdentity(kind, row))
        rows.push(isWanted ? await kind.of(client).get(String(row.id)) : row)
      }
      state.rows.set(kind.section, rows)
      state.named.push(...rows.map((row) => namedRow(kind, row)))
    } catch (error) {
      if (!isParleyError(error, 'forbidden')) throw error
      state.unreadable.set(kind.section, error.message)
    }
  }
  const usesTokens = (state.rows.get('thresholds') ?? []).some(({ entity_type }) => entity_type === 'token')
  if (tokens || usesTokens) {
    const all = (await client.tokens.list().all()) as Fields[]
    state.named.push(...all.map(({ id, name }) => ({ section: 'tokens' as const, name: String(name), id: String(id) })))
  }
  return state
}

/** Archived agents are listed only if a list asks for them. */
async function listAll(client: Parley, kind: Kind): Promise<Fields[]> {
  const resource = kind.of(client)
  const archived = kind.section === 'agents' ? await resource.list({ status: 'archived' }).all() : []
  return [...(await resource.list().all()), ...archived]
}

const namedRow = (kind: Kind, row: Fields): Named => ({
  section: kind.section,
  name: readIdentity(kind, row),
  id: String(row.id),
  ...(kind.section === 'models' && { providerName: String(row.model_id) }),
})

/** The current state of a resource, with the ETag that makes a concurrent change fail. */
export async function readNow(client: Parley, kind: Kind, row: Fields): Promise<{ row: Fields; ifMatch?: string }> {
  const now = await kind.of(client).get(String(row.id))
  if (kind.section === 'labels') return { row: now } // the service has no ETag for them
  const etag = readEtag(now)
  if (etag === undefined) throw new CliError(`The service sent no ETag for ${kind.noun} ${row.id}.`)
  return { row: now, ifMatch: etag }
}
