import type { Schemas } from '@parley/client'
import { CodeBlock, json } from '../../ui/code.tsx'
import { withoutIds } from '../../ui/errors.ts'
import { milliseconds } from '../../ui/format.ts'
import { Badge } from '../../ui/page.tsx'

/** The result of a tool call: request, response and the text for the model. */
export const CallResult = ({ result }: { result: Schemas['ApiToolTest'] }) => (
  <section className="stack" aria-label="Result">
    <div className="row">
      <Badge tone={result.ok ? 'good' : 'bad'}>{result.ok ? 'succeeded' : 'failed'}</Badge>
      {result.status !== null && <Badge>{result.status}</Badge>}
      <span className="muted small">{milliseconds(result.latency_ms)}</span>
    </div>
    {result.error && <p className="notice bad">{withoutIds(result.error)}</p>}
    {result.body !== null && result.body !== undefined && result.body !== '' && (
      <>
        <h3>Result for the model</h3>
        <CodeBlock
          text={typeof result.body === 'string' ? result.body : json(result.body)}
          label="Result for the model"
        />
      </>
    )}
    <details>
      <summary>
        {result.request.method} {result.request.url}
      </summary>
      <div className="stack">
        <h3>Headers sent</h3>
        <CodeBlock text={json(result.request.headers)} label="Headers sent" />
        <h3>Headers received</h3>
        <CodeBlock text={json(result.headers)} label="Headers received" />
      </div>
    </details>
  </section>
)
