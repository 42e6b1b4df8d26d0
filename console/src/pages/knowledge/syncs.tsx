import { LoaderCircle, TriangleAlert } from 'lucide-react'
import { Embedded } from '../../parts/index-status.tsx'
import { DocumentsBeingRead } from '../../parts/reading-progress.tsx'
import { count } from '../../ui/format.ts'
import { Badge } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { duration } from '../../ui/time-text.ts'
import { type Source, type Sync, sourceTones, syncTones } from './source-types.ts'

const processed = ({ documents }: Sync): number =>
  documents.added + documents.updated + documents.unchanged + documents.failed

/** Whether the embedding model has passages of the source left to embed. */
export const isRefining = ({ index }: Source): boolean => index !== null && index.refined < index.chunks

/** The sync status of a source in one line. */
export function SyncState({ source, latest }: { source: Source; latest: Sync | undefined }) {
  if (source.status === 'syncing') {
    const running = latest?.status === 'running' ? latest : undefined
    return (
      <div className="notice sync-state" role="status">
        <LoaderCircle aria-hidden size={17} className="spin" />
        <span className="grow">
          Syncing{' '}
          {running && running.documents.total > 0
            ? `${count(processed(running))} of ${count(running.documents.total)} documents`
            : '…'}
          <progress
            className="share"
            aria-label="Sync"
            {...(running && { max: Math.max(1, running.documents.total), value: processed(running) })}
          />
          {running && <DocumentsBeingRead documents={running.reading} />}
          <span className="small muted">Documents synced before stay searchable.</span>
        </span>
      </div>
    )
  }
  return (
    <div className="row">
      <Badge tone={sourceTones[source.status]}>{source.status}</Badge>
      {source.last_sync && (
        <span className="muted small">
          Last synced <Ago at={source.last_sync} />
        </span>
      )}
      {source.index && isRefining(source) && (
        <span
          className="muted small"
          title="Passages that are not embedded yet are found by keyword and by a faster model."
        >
          Embedding passages: <Embedded index={source.index} />
        </span>
      )}
      {source.coverage && <Unread coverage={source.coverage} />}
      {source.status_message && (
        <p className={`notice ${source.status === 'error' ? 'bad' : 'warn'}`}>
          <TriangleAlert aria-hidden size={16} />
          <span>{source.status_message}</span>
        </p>
      )}
    </div>
  )
}

/** How much of the documents could not be read; nothing if all of it was. */
function Unread({ coverage }: { coverage: NonNullable<Source['coverage']> }) {
  const { documents, documents_failed: failed, pages, pages_without_text: blank } = coverage
  const parts = [
    ...(failed > 0 ? [`${count(failed)} of ${count(documents)} documents could not be read`] : []),
    ...(blank > 0 ? [`${count(blank)} of ${count(pages)} pages had no readable text`] : []),
  ]
  return parts.length > 0 ? <span className="muted small">{parts.join(', ')}</span> : null
}

export function Syncs({ rows }: { rows: Sync[] | undefined }) {
  if (!rows) return <Loading />
  if (rows.length === 0)
    return (
      <Empty icon={LoaderCircle} title="No syncs yet">
        Each sync lists what was added, updated, removed or failed.
      </Empty>
    )
  return (
    <Table
      label="Syncs"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Started', cell: ({ started_at: at }) => <Ago at={at} /> },
        {
          title: 'Status',
          cell: ({ status, error }) => (
            <>
              <Badge tone={syncTones[status]}>{status}</Badge>
              {error && <span className="muted small two-lines">{error}</span>}
            </>
          ),
        },
        { title: 'Documents', numeric: true, cell: ({ documents }) => count(documents.total) },
        {
          title: 'Added · updated · removed · failed',
          minor: true,
          numeric: true,
          cell: ({ documents: { added, updated, removed, failed } }) =>
            [added, updated, removed, failed].map(count).join(' · '),
        },
        {
          title: 'Passages embedded · reused',
          minor: true,
          numeric: true,
          cell: ({ chunks }) => `${count(chunks.embedded)} · ${count(chunks.reused)}`,
        },
        {
          title: 'Duration',
          minor: true,
          numeric: true,
          cell: ({ started_at: from, finished_at: to }) => (to ? duration(from, to) : '–'),
        },
      ]}
    />
  )
}
