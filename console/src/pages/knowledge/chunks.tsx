import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Scissors } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { HeadingPath, PassageText } from '../../parts/passages.tsx'
import { TextWithTables } from '../../parts/text-with-tables.tsx'
import { count } from '../../ui/format.ts'
import { Pager, useListParams, useRedirectToLastPage } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import type { Document } from './source-types.ts'

/** The chunks of a document, which searches find. */
export function Chunks({ document }: { document: Document }) {
  const { id, knowledge_source_id: source, pages } = document
  const { page, change } = useListParams()
  const chunks = useQuery({
    queryKey: ['knowledge-sources', source, 'documents', id, 'chunks', page],
    queryFn: ({ signal }) => parley.knowledgeSources.documentChunks(source, id, { page }, { signal }).page(),
    placeholderData: keepPreviousData,
  })
  const isRedirecting = useRedirectToLastPage(chunks.data?.pagination)
  if (chunks.error) return <ErrorPanel error={chunks.error} onRetry={() => void chunks.refetch()} />
  if (!chunks.data || isRedirecting) return <Loading />
  const { data: rows, pagination } = chunks.data
  if (pagination.total === 0)
    return (
      <Empty icon={Scissors} title="No chunks yet">
        Chunks appear once the document is processed.
      </Empty>
    )
  return (
    <div className="stack">
      <p className="muted small">
        {pagination.total === 1 ? '1 chunk' : `${count(pagination.total)} chunks`} with the default settings. A tool
        with another chunk size splits the text differently. Gray text overlaps the previous chunk.
      </p>
      <ol className="passages chunks" aria-label="Chunks">
        {rows.map((chunk, at) => {
          const overlap = Math.max(0, (rows[at - 1]?.end ?? 0) - chunk.start)
          return (
            <li key={chunk.id}>
              <header className="row">
                <strong>{count(chunk.position)}</strong>
                {pages !== null && <Badge>Page {chunk.page}</Badge>}
                <span className="muted small grow">
                  Characters {count(chunk.start)}–{count(chunk.end)}
                </span>
                <Link
                  to={`/knowledge/${source}/documents/${id}`}
                  search={{ start: String(chunk.start), end: String(chunk.end) } as never}
                  className="small"
                  aria-label={`Show in text: chunk ${chunk.position}`}
                >
                  Show in text
                </Link>
              </header>
              <HeadingPath headings={chunk.headings} />
              <PassageText label={`Chunk ${chunk.position}`}>
                {overlap > 0 && <span className="muted">{chunk.content.slice(0, overlap)}</span>}
                <TextWithTables text={chunk.content.slice(overlap)} render={(text) => text} />
              </PassageText>
            </li>
          )
        })}
      </ol>
      <Pager pagination={pagination} onPage={(next) => change({ page: String(next) })} />
    </div>
  )
}
