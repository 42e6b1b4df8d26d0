import type { Json, Service } from './harness.ts'
import { until } from './harness.ts'
import { type Knowledge, knowledge } from './knowledge.ts'

/** Short texts about different topics, with metadata to filter by. */
export const handbookTexts = [
  {
    title: 'Leave',
    content:
      '# Parental leave\n\nParents get sixteen weeks of leave after the birth of a child. The leave can be taken in two parts.\n\n# Illness\n\nWhoever is ill tells the manager before nine in the morning. A doctor’s note is needed from the third day on.',
    metadata: { department: 'people', year: 2023 },
  },
  {
    title: 'Machines',
    content:
      'The pump must be primed with water before it is started. Never run the pump dry.\n\nThe water filter of the coffee machine is changed every month. Spare filters are in the kitchen.',
    metadata: { department: 'facilities', year: 2021 },
  },
  {
    title: 'Office',
    content:
      'The password of the guest network is on the wall of the reception. Visitors sign in at the reception desk.\n\nBicycles are kept in the basement. The key hangs beside the lift.',
    metadata: { department: 'facilities', year: 2024 },
  },
]

/** Texts of many passages, and a document of them. */
export const sections = Array.from(
  { length: 12 },
  (_, at) => `# Part ${at}\n\n${`Sentence ${at} of many. `.repeat(40)}`,
)
export const long = (parts: string[]) => [{ title: 'Long', content: parts.join('\n\n') }]

export interface Library extends Knowledge {
  source: string
  /** A RAG tool over the texts, with status `ready`. */
  ragTool(more?: object): Promise<string>
  retrievalTool(more?: object): Promise<string>
  ask(tool: string, query: string, more?: object): Promise<Json>
  find(tool: string, query: string, more?: object): Promise<Json>
  whenReady(path: string): Promise<Json>
  whenRefined(path: string): Promise<Json>
}

/** The fastest embedding model, for tests that do not depend on the model. */
const quick = { embedding_model: 'parley-static-256' }
export const builtIn = { embedding_model: 'all-MiniLM-L6-v2' }

/** A synced text source and tools over it. */
export async function library(service: Service, documents: object[] = handbookTexts): Promise<Library> {
  const { get, post } = service
  const known = knowledge(service)
  const source = await known.make({ name: 'Handbook', type: 'text', configuration: { documents } })
  await known.settled(source)
  const made = async (path: string, body: object) => {
    const answer = await post(path, body)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.data.id as string
  }
  const whenReady = (path: string) =>
    until(async () => {
      const { data } = (await get(path)).body
      return data.status === 'ready' && data
    })
  const whenRefined = (path: string) =>
    until(async () => {
      const { data } = (await get(path)).body
      return data.status === 'ready' && data.index.refined === data.index.chunks && data
    })
  const result = async (path: string, body: object) => {
    const answer = await post(path, body)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.data
  }
  return {
    ...known,
    source,
    whenReady,
    whenRefined,
    async ragTool(more = {}) {
      const id = await made('/rag-tools', { name: 'Handbook', knowledge_source_id: source, ...quick, ...more })
      await whenReady(`/rag-tools/${id}`)
      return id
    },
    async retrievalTool(more = {}) {
      const id = await made('/retrieval-tools', { name: 'Search', knowledge_source_ids: [source], ...quick, ...more })
      await whenReady(`/retrieval-tools/${id}`)
      return id
    },
    ask: (tool, query, more = {}) => result(`/rag-tools/${tool}/query`, { query, ...more }),
    find: (tool, query, more = {}) => result(`/retrieval-tools/${tool}/search`, { query, ...more }),
  }
}
