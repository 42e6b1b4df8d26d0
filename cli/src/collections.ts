import type { Parley } from './client.ts'
import { CliError } from './failures.ts'

export type Row = Record<string, unknown> & { id: string; name: string }

/** The methods that all resources have. */
interface Crud {
  list(query?: Record<string, unknown>): { all(max?: number): Promise<Row[]> }
  get(id: string): Promise<Row>
  create(body: Record<string, unknown>): Promise<Row>
  delete(id: string): Promise<void>
}

export interface Collection {
  /** The start of its ids. */
  prefix: string
  noun: string
  /** How people list it. */
  list: string
  of(client: Parley): Crud
}

const collection = (prefix: string, noun: string, list: string, of: (client: Parley) => unknown): Collection => ({
  prefix,
  noun,
  list: `parley ${list} list`,
  of: (client) => of(client) as Crud,
})

export const agentCollection = collection('agt_', 'agent', 'agents', (client) => client.agents)
export const modelCollection = collection('mdl_', 'model', 'models', (client) => client.models)
export const sourceCollection = collection('src_', 'source', 'sources', (client) => client.knowledgeSources)
export const toolCollections = {
  rag: collection('rag_', 'RAG tool', 'tools', (client) => client.ragTools),
  retrieval: collection('ret_', 'retrieval tool', 'tools', (client) => client.retrievalTools),
  api: collection('api_', 'API tool', 'tools', (client) => client.apiTools),
}
export const templateCollection = collection('tpl_', 'prompt template', 'label', (client) => client.promptTemplates)
export const experimentCollection = collection('exp_', 'experiment', 'experiment', (client) => client.experiments)
export const evaluationCollection = collection('evl_', 'evaluation', 'eval', (client) => client.evaluations)
export const monitorCollection = collection('mon_', 'monitor', 'monitor', (client) => client.monitors)
export const tokenCollection = collection('tok_', 'token', 'token', (client) => client.tokens)

interface Found {
  collection: Collection
  id: string
}

/** Finds a resource by its id or its exact name, if only one has it. */
export async function find(client: Parley, collections: Collection[], reference: string): Promise<Found> {
  const byId = collections.find(
    ({ prefix }) => reference.startsWith(prefix) && /^[a-z]{3}_[0-9a-z]{26}$/.test(reference),
  )
  if (byId) return { collection: byId, id: reference }
  const lists = await Promise.all(
    collections.map(async (collection) => {
      const rows = await collection.of(client).list({ name: reference, limit: 10 }).all(10)
      return rows.map(({ id }) => ({ collection, id }))
    }),
  )
  const [found, ...others] = lists.flat()
  const { noun, list } = collections[0] ?? { noun: 'resource', list: 'parley --help' }
  const name = collections.length === 1 ? noun : 'tool'
  if (found === undefined) throw new CliError(`There is no ${name} "${reference}".`, `See what there is: ${list}`)
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id }) => id).join(', ')
    throw new CliError(`Several have the name "${reference}".`, `Pass the id of one: ${ids}`)
  }
  return found
}

export const findId = async (client: Parley, collection: Collection, reference: string): Promise<string> =>
  (await find(client, [collection], reference)).id
