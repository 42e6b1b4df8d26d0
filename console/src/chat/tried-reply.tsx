import type { Message } from '@parley/client'
import { ChartNoAxesGantt } from 'lucide-react'
import { memo, useId, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/code.tsx'
import { costText, count, milliseconds, price } from '../ui/format.ts'
import { ReplyBody } from './reply.tsx'
import { Waterfall } from './trace.tsx'
import type { TriedReply } from './try-session.ts'

interface TriedReplyProps {
  message: Message | TriedReply
  /** The name of its model. */
  model: string | null
}

/** A reply that is not stored, with its time, tokens and cost. */
export const Tried = memo(({ message, model }: TriedReplyProps) => {
  const { content, status, usage } = message
  const steps = 'steps' in message ? message.steps : []
  const [showsTrace, setShowsTrace] = useState(false)
  const traceId = useId()
  const figures: [string, string | null][] = [
    ['Model', model],
    ['First token', message.time_to_first_token_ms === null ? null : milliseconds(message.time_to_first_token_ms)],
    ['Total time', message.latency_ms === null ? null : milliseconds(message.latency_ms)],
    ['Tokens', usage && `${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`],
    ['Cost', usage && (usage.unpriced_requests ? costText(usage.cost, false) : price(usage.cost))],
  ]
  return (
    <article className="message assistant" aria-label="Reply">
      <ReplyBody message={message} refusal="Needs approval. Not run while trying." />
      {status !== 'running' && (
        <>
          <dl className="tried-figures">
            {figures.map(
              ([label, value]) =>
                value !== null && (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ),
            )}
          </dl>
          <footer className="message-foot">
            {content !== '' && <CopyButton text={content} label="Copy reply" />}
            {steps.length > 0 && (
              <IconButton
                icon={ChartNoAxesGantt}
                label="Trace"
                aria-expanded={showsTrace}
                aria-controls={traceId}
                onClick={() => setShowsTrace(!showsTrace)}
              />
            )}
          </footer>
          {steps.length > 0 && (
            <div id={traceId} hidden={!showsTrace}>
              {showsTrace && <Waterfall steps={steps} />}
            </div>
          )}
        </>
      )}
    </article>
  )
})
