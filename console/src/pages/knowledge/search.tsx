import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search, Sparkles } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { IndexBadge, isIndexing } from '../../parts/index-status.tsx'
import { Passages } from '../../parts/passages.tsx'
import { Button } from '../../ui/button.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { milliseconds } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import type { Source } from './source-types.ts'

const pollInterval = 6000

/** The tools that search a source, beginning with those that search only this one. */
function useSearchTools(source: string) {
  return useQuery({
    queryKey: ['retrieval-tools', 'over', source],
    queryFn: async ({ signal }) => {
      const [retrieval, rag] = await Promise.all([
        parley.retrievalTools.list({ limit: 100 }, { signal }).all(500),
        parley.ragTools.list({ limit: 100, knowledge_source_id: source }, { signal }).all(100),
      ])
      const over = retrieval
        .filter(({ knowledge_source_ids: ids }) => ids.includes(source))
        .sort((one, other) => one.knowledge_source_ids.length - other.knowledge_source_ids.length)
      return [
        ...over.map((tool) => ({ ...tool, kind: 'retrieval' as const })),
        ...rag.map((tool) => ({ ...tool, kind: 'rag' as const })),
      ]
    },
    refetchInterval: ({ state }) => state.data?.some(isIndexing) && pollInterval,
  })
}
type SearchTool = Pick<NonNullable<ReturnType<typeof useSearchTools>['data']>[number], 'id'> & {
  kind: 'retrieval' | 'rag' | 'source'
}

export function SourceSearch({ source }: { source: Source }) {
  const { search, change } = useListParams()
  const tools = useSearchTools(source.id)
  if (tools.error) return <ErrorPanel error={tools.error} onRetry={() => void tools.refetch()} />
  if (!tools.data) return <Loading />
  const own = { id: source.id, kind: 'source' as const, name: 'Default settings', created_at: source.created_at }
  const chosen = tools.data.find(({ id }) => id === search.tool) ?? tools.data[0] ?? own
  return (
    <div className="stack">
      <div className="toolbar">
        <SelectField
          label="Search with"
          value={chosen.id}
          onChange={(tool) => change({ tool })}
          options={toOptions([
            ...tools.data.map((tool) => ({
              ...tool,
              name: `${tool.name} (${tool.kind === 'rag' ? 'answer tool' : 'search tool'})`,
            })),
            own,
          ])}
        />
        {chosen.kind !== 'source' && (
          <>
            <IndexBadge status={chosen.status} />
            <Link to={`/tools/${chosen.kind}/${chosen.id}`} className="small">
              Tool settings
            </Link>
          </>
        )}
      </div>
      <SearchForm key={chosen.id} tool={chosen} />
    </div>
  )
}

async function find(
  tool: SearchTool,
  query: string,
): Promise<{ results: Schemas['SearchResult'][]; took: number | null }> {
  const maxResults = 10
  if (tool.kind === 'rag') {
    const { results } = await parley.ragTools.query(tool.id, { query, answer: false, top_k: maxResults })
    return { results, took: null }
  }
  const resource = tool.kind === 'source' ? parley.knowledgeSources : parley.retrievalTools
  const { results, took_ms: took } = await resource.search(tool.id, { query, top_k: maxResults })
  return { results, took }
}

function SearchForm({ tool }: { tool: SearchTool }) {
  const [query, setQuery] = useState('')
  const search = useSave({ invalidates: [], run: (text: string) => find(tool, text) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search.mutate(query.trim())
  }
  const found = search.data
  return (
    <>
      <form className="ask" onSubmit={submit}>
        <TextField
          label="Search query"
          type="search"
          placeholder="How long is parental leave?"
          value={query}
          onChange={setQuery}
        />
        <Button type="submit" variant="primary" icon={Search} busy={search.isPending} disabled={query.trim() === ''}>
          Search
        </Button>
      </form>
      {found ? (
        <>
          <p className="muted small" role="status">
            {found.results.length === 1 ? '1 passage' : `${found.results.length} passages`}
            {found.took !== null && ` in ${milliseconds(Math.max(1, Math.round(found.took)))}`}
          </p>
          <Passages results={found.results} tool={tool.id} />
        </>
      ) : (
        <Empty icon={Sparkles} title="Preview what agents find">
          Each result shows its score and how well it matches by keyword and by meaning.
        </Empty>
      )}
    </>
  )
}
