import type { Schemas } from '@parley/client'
import { count, timeLeft } from '../ui/format.ts'
import { Badge, type Tone } from '../ui/page.tsx'

interface Indexed {
  status: Schemas['RagTool']['status']
  status_message: string | null
  index: Schemas['IndexState'] | null
}

const tones: Record<Indexed['status'], Tone> = { pending: 'plain', indexing: 'warn', ready: 'good', error: 'bad' }

export const IndexBadge = ({ status }: Pick<Indexed, 'status'>) => <Badge tone={tones[status]}>{status}</Badge>

/** Whether the index is still being built, so that polling makes sense. */
export const isIndexing = ({ status, index }: Indexed): boolean =>
  status === 'pending' || status === 'indexing' || (index !== null && index.refined < index.chunks)

type Index = NonNullable<Indexed['index']>

/** How many passages the embedding model has embedded. */
export const Embedded = ({ index: { chunks, refined, seconds_left: left } }: { index: Index }) => (
  <>
    {count(refined)} of {count(chunks)}
    {left !== null && ` · ${timeLeft(left)}`}
    <progress className="share" max={Math.max(1, chunks)} value={refined} aria-label="Embedded" />
  </>
)

/** The status and progress of the index behind a tool. */
export const IndexStatus = ({ status, status_message: message, index }: Indexed) => (
  <div className="stack">
    <dl className="facts">
      <dt>Status</dt>
      <dd>
        <IndexBadge status={status} />
      </dd>
      {index && (
        <>
          <dt>Documents</dt>
          <dd>{count(index.documents)}</dd>
          <dt>Passages</dt>
          <dd>{count(index.chunks)}</dd>
          <dt>Embedded</dt>
          <dd>
            <Embedded index={index} />
            <span className="field-note">
              Passages embedded by the selected model. Others are found by keyword and by a faster built-in model.
            </span>
          </dd>
        </>
      )}
    </dl>
    {message && <p className={`notice ${status === 'error' ? 'bad' : 'warn'}`}>{message}</p>}
  </div>
)
