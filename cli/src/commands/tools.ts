import { type Collection, findId, sourceCollection, toolCollections } from '../collections.ts'
import { UsageError } from '../failures.ts'
import { fromEnvironment, numberFlag } from '../input.ts'
import { resourceCommands } from '../resource.ts'

const toolKind = (id: string): string =>
  Object.entries(toolCollections).find(([, { prefix }]) => id.startsWith(prefix))?.[0] ?? ''

const kinds = Object.keys(toolCollections).join(', ')

function findCollection(kind: string): Collection {
  const found = Object.entries(toolCollections).find(([name]) => name === kind)
  if (found === undefined) throw new UsageError(`--kind must be one of ${kinds}, but is "${kind}".`)
  return found[1]
}

/** Null stands for the tools of an MCP server that are not marked as reading. */
const approvalLabel = (required: unknown): string | null =>
  required === null ? 'for writing' : required === true ? 'required' : null

export const tools = resourceCommands({
  group: 'tools',
  noun: 'tool',
  collections: Object.values(toolCollections),
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'KIND', value: ({ id, type }) => (type === 'mcp' ? 'mcp' : toolKind(id)) },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'APPROVAL', value: ({ requires_approval }) => approvalLabel(requires_approval) },
    { title: 'DESCRIPTION', value: ({ description, url }) => description || url },
  ],
  create: {
    details: `Without --kind: a RAG tool with --source, an API tool with --endpoint or --mcp. A secret is read from an environment
variable, never from an argument.`,
    options: {
      kind: { type: 'string', value: 'kind', description: `One of ${kinds}` },
      name: { type: 'string', description: 'The name; for API tools also what the model calls it' },
      description: { type: 'string', description: 'When the model should use it' },
      source: {
        type: 'string',
        multiple: true,
        value: 'source',
        description: 'RAG, retrieval: id or name of a source',
      },
      'top-k': { type: 'string', value: 'number', description: 'RAG, retrieval: passages per search' },
      tables: { type: 'boolean', description: 'RAG, retrieval: agents can query tables with SQL' },
      endpoint: { type: 'string', value: 'url', description: 'API: the address; may have {parameters}' },
      method: { type: 'string', value: 'method', description: 'API: GET, POST, …' },
      mcp: { type: 'string', value: 'url', description: 'API: all tools of an MCP server' },
      'bearer-env': {
        type: 'string',
        value: 'variable',
        description: 'API: the environment variable with a bearer token',
      },
      approval: { type: 'boolean', description: 'API: a person must approve each call' },
    },
    examples: [
      'parley tools create --name Handbook --source Handbook',
      'parley tools create --kind retrieval --name Everything --source Handbook --source Site --tables',
      'parley tools create --name weather --description "The weather of a city" --endpoint "https://api.example.com/weather/{city}"',
      'parley tools create --name tickets --description "The ticket system" --mcp https://mcp.example.com/mcp --bearer-env TICKETS_TOKEN',
    ],
    target: ({ kind, source, endpoint, mcp }) => {
      if (kind !== undefined) return findCollection(kind)
      if (endpoint !== undefined || mcp !== undefined) return toolCollections.api
      if (source !== undefined) return toolCollections.rag
      throw new UsageError(`Pass --kind: one of ${kinds}.`)
    },
    async fields(session, { kind, name, description, source = [], tables, endpoint, method, mcp, approval, ...more }) {
      const ids = await Promise.all(source.map(async (each) => findId(await session.client(), sourceCollection, each)))
      const { 'bearer-env': variable, 'top-k': topK } = more
      if (ids.length > 1 && kind !== 'retrieval') {
        throw new UsageError('A RAG tool has one source. Pass --kind retrieval to search several.')
      }
      return {
        name,
        description,
        ...(ids.length > 0 && (kind === 'retrieval' ? { knowledge_source_ids: ids } : { knowledge_source_id: ids[0] })),
        top_k: numberFlag('top-k', topK, { min: 1 }),
        tables,
        url: endpoint ?? mcp,
        type: mcp === undefined ? undefined : 'mcp',
        method,
        auth: variable && { type: 'bearer', token: fromEnvironment(session, '--bearer-env', variable) },
        requires_approval: approval,
      }
    },
  },
})
