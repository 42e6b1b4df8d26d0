import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RotateCw, Send } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, prettyJson } from '../../ui/code.tsx'
import { ago, dateTime, milliseconds } from '../../ui/format.ts'
import { Pager, useListParams, useRedirectToLastPage } from '../../ui/list.tsx'
import { Badge, type Tone } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import type { Delivery } from './events.ts'

const tones: Record<Delivery['status'], Tone> = { delivered: 'good', pending: 'accent', failed: 'bad' }
const pollInterval = 4000

/** The deliveries of a webhook with their responses. */
export function Deliveries({ id, mayRedeliver }: { id: string; mayRedeliver: boolean }) {
  const { search, page, change } = useListParams()
  const status = search.status as Delivery['status'] | undefined
  const deliveries = useQuery({
    queryKey: ['webhooks', id, 'deliveries', page, status],
    queryFn: ({ signal }) => parley.webhooks.deliveries(id, { page, limit: 20, status }, { signal }).page(),
    placeholderData: keepPreviousData,
    // Poll only if an attempt is due within a minute; the next one may be hours away.
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ next_attempt_at: at }) => at !== null && Date.parse(at) - Date.now() < 60_000)
        ? pollInterval
        : false,
  })
  const isRedirecting = useRedirectToLastPage(deliveries.data?.pagination)
  return (
    <section className="stack" aria-labelledby="deliveries">
      <div className="toolbar">
        <h2 className="grow" id="deliveries">
          Deliveries
        </h2>
        <select
          aria-label="Delivery status"
          value={status ?? ''}
          onChange={(event) => change({ status: event.target.value || undefined, page: undefined })}
        >
          <option value="">All statuses</option>
          <option value="delivered">Delivered</option>
          <option value="pending">Pending</option>
          <option value="failed">Failed</option>
        </select>
      </div>
      {deliveries.error && <ErrorPanel error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
      {(deliveries.isPending || isRedirecting) && <Loading />}
      {deliveries.data?.data.length === 0 && !isRedirecting && (
        <Empty icon={Send} title={status ? 'No matching deliveries' : 'No deliveries yet'}>
          {status ? 'Try another status.' : 'Send a test event to see what a delivery looks like.'}
        </Empty>
      )}
      {deliveries.data && deliveries.data.data.length > 0 && (
        <>
          <ul className="results">
            {deliveries.data.data.map((delivery) => (
              <li key={delivery.id}>
                <DeliveryRow delivery={delivery} mayRedeliver={mayRedeliver} />
              </li>
            ))}
          </ul>
          <Pager pagination={deliveries.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </section>
  )
}

function DeliveryRow({ delivery, mayRedeliver }: { delivery: Delivery; mayRedeliver: boolean }) {
  const { webhook_id: webhook, id, event, status, attempts, created_at: at } = delivery
  const redeliver = useSave({
    invalidates: ['webhooks'],
    run: () => parley.webhooks.redeliver(webhook, id),
    toast: 'Delivery queued',
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
          <dt>Response</dt>
          <dd>
            {delivery.response_status ?? 'none'}
            {delivery.latency_ms !== null && ` in ${milliseconds(delivery.latency_ms)}`}
          </dd>
          <dt>Event ID</dt>
          <dd>
            <code>{delivery.event_id}</code>
          </dd>
        </dl>
        <h3>Request body</h3>
        {delivery.request_body && <CodeBlock label="Request body" text={prettyJson(delivery.request_body)} />}
        {delivery.response_body && (
          <>
            <h3>Response body</h3>
            <CodeBlock label="Response body" text={prettyJson(delivery.response_body)} />
          </>
        )}
        {mayRedeliver && (
          <div className="row">
            <Button small icon={RotateCw} busy={redeliver.isPending} onClick={() => redeliver.mutate(undefined)}>
              Redeliver
            </Button>
          </div>
        )}
      </div>
    </details>
  )
}
