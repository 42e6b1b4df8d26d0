import { isParleyError, ParleyError } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { PageFrame } from '../../ui/page.tsx'
import { ErrorPanel, Loading } from '../../ui/states.tsx'

const missing = (error: unknown) => (isParleyError(error, 'not_found') ? null : Promise.reject(error))
const mostTried = 20

/** The sources that a tool searches; where the tool is gone, any. */
async function sourcesOf(tool: string, signal: AbortSignal): Promise<string[]> {
  if (tool.startsWith('rag_')) {
    const found = await parley.ragTools.get(tool, { signal }).catch(missing)
    if (found) return [found.knowledge_source_id]
  } else if (tool.startsWith('ret_')) {
    const found = await parley.retrievalTools.get(tool, { signal }).catch(missing)
    if (found) return found.knowledge_source_ids
  }
  const all = await parley.knowledgeSources.list({ limit: mostTried }, { signal }).page()
  return all.data.map(({ id }) => id)
}

/** A citation knows its document and the tool that found it, but not the source: this finds it. */
async function sourceOf(tool: string, document: string, signal: AbortSignal): Promise<string> {
  for (const source of (await sourcesOf(tool, signal)).slice(0, mostTried)) {
    const found = await parley.knowledgeSources.document(source, document, { signal }).catch(missing)
    if (found) return source
  }
  throw new ParleyError({
    code: 'not_found',
    message: 'The document is not there any more.',
    status: 404,
  })
}

export default function PassagePage() {
  const { tool = '', document = '', start, end } = useSearch({ strict: false }) as Record<string, string | undefined>
  const source = useQuery({
    queryKey: ['knowledge-sources', 'of', tool, document],
    queryFn: ({ signal }) => sourceOf(tool, document, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (source.error) return <ErrorPanel error={source.error} onRetry={() => void source.refetch()} />
  if (source.data === undefined)
    return (
      <PageFrame title="Passage">
        <Loading />
      </PageFrame>
    )
  return <Navigate replace to={`/knowledge/${source.data}/documents/${document}`} search={{ start, end } as never} />
}
