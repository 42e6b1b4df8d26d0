import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RotateCw, Send } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, json } from '../../ui/code.tsx'
import { ago, dateTime, milliseconds } from '../../ui/format.ts'
import { Pager, useLastPage, useListAddress } from '../../ui/list.tsx'
import { Badge, type Tone } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import type { Delivery } from './events.ts'

const tones: Record<Delivery['status'], Tone> = { delivered: 'good', pending: 'accent', failed: 'bad' }
const pollEvery = 4000

/** JSON laid out to be read; anything else as it came. */
function readable(text: string): string {
  try {
    return json(JSON.parse(text))
  } catch {
    return text
  }
}

/** Everything that was sent, and what came back. */
export function Deliveries({ id, mayRedeliver }: { id: string; mayRedeliver: boolean }) {
  const { search, page, change } = useListAddress()
  const status = search.status as Delivery['status'] | undefined
  const deliveries = useQuery({
    queryKey: ['webhooks', id, 'deliveries', page, status],
    queryFn: ({ signal }) => parley.webhooks.deliveries(id, { page, limit: 20, status }, { signal }).page(),
    placeholderData: keepPreviousData,
    // Only what is on its way at this moment is watched; the next attempt may be hours off.
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ next_attempt_at: at }) => at !== null && Date.parse(at) - Date.now() < 60_000)
        ? pollEvery
        : false,
  })
  const isTurning = useLastPage(deliveries.data?.pagination)
  return (
    <section className="stack" aria-labelledby="deliveries">
      <div className="toolbar">
        <h2 className="grow" id="deliveries">
          Deliveries
        </h2>
        <select
          aria-label="State of deliveries"
          value={status ?? ''}
          onChange={(event) => change({ status: event.target.value || undefined, page: undefined })}
        >
          <option value="">Every state</option>
          <option value="delivered">Delivered</option>
          <option value="pending">Pending</option>
          <option value="failed">Failed</option>
        </select>
      </div>
      {deliveries.error && <ErrorPanel error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
      {(deliveries.isPending || isTurning) && <Loading />}
      {deliveries.data?.data.length === 0 && !isTurning && (
        <Empty icon={Send} title={status ? 'None of these' : 'Nothing was sent yet'}>
          {status
            ? 'Choose another state.'
            : 'What is sent appears here, with what came back. Send a test to see how an event looks.'}
        </Empty>
      )}
      {deliveries.data && deliveries.data.data.length > 0 && (
        <>
          <ul className="results">
            {deliveries.data.data.map((delivery) => (
              <li key={delivery.id}>
                <One delivery={delivery} mayRedeliver={mayRedeliver} />
              </li>
            ))}
          </ul>
          <Pager pagination={deliveries.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </section>
  )
}

function One({ delivery, mayRedeliver }: { delivery: Delivery; mayRedeliver: boolean }) {
  const { webhook_id: webhook, id, event, status, attempts, created_at: at } = delivery
  const again = useSave({
    touches: ['webhooks'],
    run: () => parley.webhooks.redeliver(webhook, id),
    done: 'It is on its way again',
  })
  return (
    <details className="step result">
      <summary>
        <Badge tone={tones[status]}>{status}</Badge>
        <span className="grow clip">{event}</span>
        <span className="muted small minor">
          {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
        </span>
        <time className="muted small" dateTime={at} title={dateTime(at)}>
          {ago(at)}
        </time>
      </summary>
      <div>
        {delivery.error && <p className="notice bad">{delivery.error}</p>}
        <dl className="facts small">
          <dt>Sent</dt>
          <dd>
            {attempts === 0
              ? 'not yet'
              : `${attempts} ${attempts === 1 ? 'time' : 'times'}${delivery.last_attempt_at ? `, last ${dateTime(delivery.last_attempt_at)}` : ''}`}
          </dd>
          {delivery.next_attempt_at && (
            <>
              <dt>Next attempt</dt>
              <dd>{dateTime(delivery.next_attempt_at)}</dd>
            </>
          )}
          <dt>Answer</dt>
          <dd>
            {delivery.response_status ?? 'none'}
            {delivery.latency_ms !== null && ` in ${milliseconds(delivery.latency_ms)}`}
          </dd>
          <dt>Event id</dt>
          <dd>
            <code>{delivery.event_id}</code>
          </dd>
        </dl>
        <h3>Body</h3>
        <CodeBlock label="Body" text={readable(delivery.request_body)} />
        {delivery.response_body && (
          <>
            <h3>What came back</h3>
            <CodeBlock label="Answer" text={readable(delivery.response_body)} />
          </>
        )}
        {mayRedeliver && (
          <div className="row">
            <Button small icon={RotateCw} busy={again.isPending} onClick={() => again.mutate(undefined)}>
              Send again
            </Button>
          </div>
        )}
      </div>
    </details>
  )
}
