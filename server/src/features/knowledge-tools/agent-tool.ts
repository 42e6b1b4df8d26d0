import { passagesNote, quoteFor } from '../../kernel/agent/citations.ts'
import type { AgentTool, CallPurpose, ToolOutput } from '../../kernel/agent/tools.ts'
import type { Found, SearchResult } from '../indexes/search.ts'

interface Searchable {
  id: string
  name: string
  description: string | null
}

const maxNameLength = 64
/** Limits the results so that they fit into the model's context beside the rest. */
const maxCharacters = 48_000

/** A RAG or retrieval tool as agents call it: it returns passages that the reply can cite. */
export const knowledgeTool = (
  { id, name, description }: Searchable,
  search: (query: string, signal: AbortSignal, purpose: CallPurpose) => Promise<Found>,
  isSyncing: () => Promise<boolean>,
): AgentTool => ({
  id,
  kind: 'search',
  name: toolName(name),
  description: [`Searches the documents of "${name}" and finds the passages that answer a question.`, description]
    .filter((part) => part !== null && part.trim() !== '')
    .join(' '),
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'The question, or what to look for, in full words.' } },
    required: ['query'],
    additionalProperties: false,
  },
  async run(input, signal, purpose = {}) {
    const { query } = (input ?? {}) as { query?: unknown }
    if (typeof query !== 'string' || query.trim() === '') throw new Error('"query" must say what to look for.')
    const result = await search(query, signal, purpose)
    const results = fitting(result.results)
    return toOutput(query, { ...result, results }, results.length === 0 && (await isSyncing()))
  },
})

/** All providers accept letters, digits, `_` and `-`. */
function toolName(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '')
  const safe = ascii.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '')
  return safe === '' ? 'search_documents' : safe.slice(0, maxNameLength)
}

function fitting(results: SearchResult[]): SearchResult[] {
  let characters = 0
  return results.filter(({ content }, at) => {
    characters += content.length
    return at === 0 || characters <= maxCharacters
  })
}

async function toOutput(
  query: string,
  { results, index, degraded }: Found,
  isIncomplete: boolean,
): Promise<ToolOutput> {
  const state = degraded.length > 0 ? { index, degraded } : {}
  const numberedFrom = (first: number) =>
    JSON.stringify({
      note: passagesNote,
      ...(isIncomplete && { incomplete: 'The documents are still being read: ask again in a moment.' }),
      ...state,
      results: results.map(({ content, score, metadata: { source, page }, why: { headings } }, at) => ({
        index: first + at,
        content,
        score: Math.round(score * 1000) / 1000,
        metadata: { source, page, ...(headings.length > 0 && { headings }) },
      })),
    })
  const citations = await Promise.all(
    results.map(async ({ content, metadata: { source, page, document_id, chunk_id, start } }) => {
      const { quote, ...span } = await quoteFor(query, content)
      const position = { start: start + span.start, end: start + span.end }
      return { source, page, document_id, chunk_id, ...position, quote, passage: { text: content, start } }
    }),
  )
  const structured = {
    results: results.map(({ content, score, metadata }) => ({ content, score, metadata })),
    index,
    degraded,
  }
  return { content: numberedFrom(1), structured, numberedFrom, citations }
}
