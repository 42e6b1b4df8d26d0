import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react'
import { parley } from '../api/parley.ts'
import { count } from '../ui/format.ts'

const pollInterval = 1000

/** The progress of reading a source: the current document, and how many can be searched already. */
export function useReading(source: string | undefined) {
  return useQuery({
    queryKey: ['knowledge-sources', source, 'reading'],
    queryFn: async ({ signal }) => {
      const id = source ?? ''
      // Pending documents are counted first: one that is read between the requests is counted twice rather than not at all.
      const pending = await parley.knowledgeSources
        .documents(id, { status: 'pending', limit: 1, sort: 'created_at', order: 'asc' }, { signal })
        .page()
      const [{ data: documents, pagination }, failed, syncs] = await Promise.all([
        parley.knowledgeSources.documents(id, { status: 'indexed', limit: 100 }, { signal }).page(),
        parley.knowledgeSources.documents(id, { status: 'failed', limit: 1 }, { signal }).page(),
        parley.knowledgeSources.syncs(id, { limit: 1 }, { signal }).page(),
      ])
      const [latest] = syncs.data
      const passages = latest?.chunks
      return {
        indexed: pagination.total,
        failed: failed.pagination.total,
        firstError: failed.data[0]?.error ?? null,
        pending: pending.pagination.total,
        current: pending.data[0] ?? null,
        /** The progress of each document that is being read. */
        documents: latest?.reading ?? [],
        pages: documents.reduce((sum, { pages }) => sum + (pages ?? 0), 0),
        passages: passages ? passages.embedded + passages.reused : 0,
      }
    },
    enabled: source !== undefined,
    refetchInterval: ({ state: { data } }) => (data && data.pending === 0 ? false : pollInterval),
  })
}

export type Reading = NonNullable<ReturnType<typeof useReading>['data']>

export function ReadingProgress({ reading }: { reading: Reading }) {
  const { indexed, failed, pending, current, documents, pages, passages, firstError } = reading
  const total = indexed + failed + pending
  const Icon = pending > 0 ? LoaderCircle : failed > 0 ? TriangleAlert : CircleCheck
  return (
    <div className="notice sync-state" role="status">
      <Icon aria-hidden size={17} className={pending > 0 ? 'spin' : ''} />
      <span className="grow">
        {current && documents.length === 0 && `Reading ${current.name}`}
        {!current && (failed === total ? 'No file could be read' : 'Ready to ask')}
        {current && <DocumentsBeingRead documents={documents} />}
        {total > 1 && (
          <progress className="share" max={Math.max(1, total)} value={indexed + failed} aria-label="Documents read" />
        )}
        <span className="small muted">
          {count(indexed)} of {count(total)} {total === 1 ? 'document' : 'documents'} read
          {pages > 0 && `, ${count(pages)} ${pages === 1 ? 'page' : 'pages'}`}
          {passages > 0 && `, ${count(passages)} ${passages === 1 ? 'passage' : 'passages'}`}
          {failed > 0 && `. ${count(failed)} failed${firstError ? `: ${firstError}` : ''}`}
        </span>
      </span>
    </div>
  )
}

const units = { pages: 'Page', passages: 'Passage' }

/** How far each document is: first its pages are read, then its passages are indexed. */
export const DocumentsBeingRead = ({ documents }: { documents: Schemas['KnowledgeSync']['reading'] }) =>
  documents.map(({ document_id: id, name, unit, done, total }) => (
    <span key={id} className="document-read">
      Reading {name}: {units[unit]} {count(done)} of {count(total)}
      <progress className="share" max={Math.max(1, total)} value={done} aria-label={`${units[unit]}s of ${name}`} />
    </span>
  ))
