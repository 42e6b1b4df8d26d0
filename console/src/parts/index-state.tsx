import type { Schemas } from '@parley/client'
import { count } from '../ui/format.ts'
import { Badge, type Tone } from '../ui/page.tsx'

interface Indexed {
  status: Schemas['RagTool']['status']
  status_message: string | null
  index: Schemas['IndexState']
}

const tones: Record<Indexed['status'], Tone> = { pending: 'plain', indexing: 'warn', ready: 'good', error: 'bad' }

export const IndexBadge = ({ status }: Pick<Indexed, 'status'>) => <Badge tone={tones[status]}>{status}</Badge>

/** Whether there is still something going on that is worth looking at again. */
export const isMoving = ({ status, index }: Indexed): boolean =>
  status === 'pending' || status === 'indexing' || index.refined < index.chunks

/** How far the index behind a tool is. */
export const IndexFacts = ({ status, status_message: message, index }: Indexed) => (
  <div className="stack">
    <dl className="facts">
      <dt>State</dt>
      <dd>
        <IndexBadge status={status} />
      </dd>
      <dt>Documents</dt>
      <dd>{count(index.documents)}</dd>
      <dt>Passages</dt>
      <dd>{count(index.chunks)}</dd>
      <dt>Refined</dt>
      <dd>
        {count(index.refined)} of {count(index.chunks)}
        <progress className="share" max={Math.max(1, index.chunks)} value={index.refined} aria-label="Refined" />
        <span className="field-note">
          Passages that the embedding model itself has seen. The others are found by word and by a quicker model.
        </span>
      </dd>
    </dl>
    {message && <p className={`notice ${status === 'error' ? 'bad' : 'warn'}`}>{message}</p>}
  </div>
)
