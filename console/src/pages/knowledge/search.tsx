import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Search, Sparkles } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { IndexBadge, isMoving } from '../../parts/index-state.tsx'
import { Passages } from '../../parts/passages.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { milliseconds } from '../../ui/format.ts'
import { useListAddress } from '../../ui/list.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import type { Source } from './kinds.ts'

const slowly = 6000

/** The tools that search a source: those that search nothing else come first. */
function useSearchers(source: string) {
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
    refetchInterval: ({ state }) => state.data?.some(isMoving) && slowly,
  })
}
type Searcher = NonNullable<ReturnType<typeof useSearchers>['data']>[number]

export function SourceSearch({ source }: { source: Source }) {
  const { search, change } = useListAddress()
  const searchers = useSearchers(source.id)
  const create = useSave({
    touches: ['retrieval-tools', 'tools', 'status'],
    run: () =>
      parley.retrievalTools.create({ name: `Search ${source.name}`.slice(0, 200), knowledge_source_ids: [source.id] }),
    done: ({ name }) => `${name} is there. Agents can use it too.`,
  })
  if (searchers.error) return <ErrorPanel error={searchers.error} onRetry={() => void searchers.refetch()} />
  if (!searchers.data) return <Loading />
  const chosen = searchers.data.find(({ id }) => id === search.tool) ?? searchers.data[0]
  if (!chosen)
    return (
      <Empty
        icon={Search}
        title="No tool searches this source yet"
        action={
          <Button variant="primary" icon={Plus} busy={create.isPending} onClick={() => create.mutate(undefined)}>
            Make a search tool
          </Button>
        }
      >
        A tool decides how documents are cut and searched. Make one with the usual settings to try it here; agents can
        use it, and you find it under <Link to="/tools">Tools</Link>.
      </Empty>
    )
  return (
    <div className="stack">
      <div className="toolbar">
        <SelectField
          label="With the tool"
          value={chosen.id}
          onChange={(tool) => change({ tool })}
          options={searchers.data.map(({ id, name, kind }) => ({
            value: id,
            label: `${name} (${kind === 'rag' ? 'RAG' : 'retrieval'})`,
          }))}
        />
        <IndexBadge status={chosen.status} />
        <Link to={`/tools/${chosen.kind}/${chosen.id}`} className="small">
          Its settings
        </Link>
      </div>
      <SearchForm key={chosen.id} searcher={chosen} />
    </div>
  )
}

async function find(
  searcher: Searcher,
  query: string,
): Promise<{ results: Schemas['SearchResult'][]; took: number | null }> {
  const most = 10
  if (searcher.kind === 'rag') {
    const { results } = await parley.ragTools.query(searcher.id, { query, answer: false, top_k: most })
    return { results, took: null }
  }
  const { results, took_ms: took } = await parley.retrievalTools.search(searcher.id, { query, top_k: most })
  return { results, took }
}

function SearchForm({ searcher }: { searcher: Searcher }) {
  const [query, setQuery] = useState('')
  const search = useSave({ touches: [], run: (text: string) => find(searcher, text) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search.mutate(query.trim())
  }
  const found = search.data
  return (
    <>
      <form className="ask" onSubmit={submit}>
        <Field label="What to look for">
          {(control) => (
            <input
              {...control}
              type="search"
              value={query}
              placeholder="How long is parental leave?"
              onChange={(event) => setQuery(event.target.value)}
            />
          )}
        </Field>
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
          <Passages results={found.results} tool={searcher.id} />
        </>
      ) : (
        <Empty icon={Sparkles} title="See what an agent would find">
          Each passage comes with its score and why it is there: how well it fits by its words and by its meaning.
        </Empty>
      )}
    </>
  )
}
