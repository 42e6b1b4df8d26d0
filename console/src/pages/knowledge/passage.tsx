import { isParleyError, ParleyError } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'

const nullIfNotFound = (error: unknown) => (isParleyError(error, 'not_found') ? null : Promise.reject(error))
const maxSources = 20

/** The sources that a tool searches, or a source itself. If the tool was deleted: the newest sources. */
async function toolSources(tool: string, signal: AbortSignal): Promise<string[]> {
  if (tool.startsWith('ks_')) return [tool]
  if (tool.startsWith('rag_')) {
    const found = await parley.ragTools.get(tool, { signal }).catch(nullIfNotFound)
    if (found) return [found.knowledge_source_id]
  } else if (tool.startsWith('ret_')) {
    const found = await parley.retrievalTools.get(tool, { signal }).catch(nullIfNotFound)
    if (found) return found.knowledge_source_ids
  }
  const all = await parley.knowledgeSources.list({ limit: maxSources }, { signal }).page()
  return all.data.map(({ id }) => id)
}

/** Finds the source of a cited document: a citation names only the document and the tool. */
async function documentSource(tool: string, document: string, signal: AbortSignal): Promise<string> {
  for (const source of (await toolSources(tool, signal)).slice(0, maxSources)) {
    const found = await parley.knowledgeSources.document(source, document, { signal }).catch(nullIfNotFound)
    if (found) return source
  }
  throw new ParleyError({
    code: 'not_found',
    message: 'This document no longer exists.',
    status: 404,
  })
}

export default function PassagePage() {
  const { tool = '', document = '', start, end } = useSearch({ strict: false }) as Record<string, string | undefined>
  const source = useQuery({
    queryKey: ['knowledge-sources', 'of', tool, document],
    queryFn: ({ signal }) => documentSource(tool, document, signal),
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
