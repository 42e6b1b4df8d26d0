import type { Message } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { ChartNoAxesGantt, RefreshCw, ThumbsDown, ThumbsUp, TriangleAlert } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useCallback, useState } from 'react'
import { ErrorAction } from '../parts/error-action.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { CodeBlock, CopyButton, json } from '../ui/code.tsx'
import { explain } from '../ui/errors.ts'
import { costText, count, dollars, milliseconds } from '../ui/format.ts'
import { Markdown } from '../ui/lazy-markdown.tsx'
import { SentAt } from '../ui/time.tsx'
import { showError } from '../ui/toasts.tsx'
import type { ChatSession } from './chat-session.ts'
import { CitationButton } from './citation.tsx'
import { FeedbackReason } from './feedback-reason.tsx'
import type { Reply as ShownReply } from './message.ts'
import { HandoffLine, ToolCall } from './tool-call.tsx'
import { MessageVersions } from './versions.tsx'

/** Parts that most replies never show. */
const Approval = lazy(() => import('./approval.tsx'))
const ReplyScores = lazy(() => import('./reply-scores.tsx'))
const Remembered = lazy(() => import('./remembered.tsx'))
const Need = lazy(() => import('./need.tsx'))
const TracePanel = lazy(async () => ({ default: (await import('./trace.tsx')).TracePanel }))

interface ReplyProps {
  message: Message
  session: ChatSession
  isLast: boolean
  /** Whether it is the message that was looked for. */
  isFound: boolean
  mayChat: boolean
  /** Whether other versions of messages can be shown. */
  maySwitch: boolean
  /** Whether calls that wait can be decided about. */
  mayDecide: boolean
  /** Whether tokens, cost and the trace are shown. */
  showsFigures: boolean
  /** The name of its model, if the reader may know it. */
  model: string | null
  actions?: ((message: Message) => ReactNode) | undefined
}

const endings: Partial<Record<Message['status'], string>> = {
  failed: 'Reply failed.',
  cancelled: 'Reply stopped.',
  interrupted: 'Reply interrupted before it finished.',
}

interface ReplyBodyProps {
  message: ShownReply
  /** Says why a call was refused. */
  refusal?: string
  /** Shown beside the reason why a reply ended early. */
  retry?: ReactNode
  /** The calls that wait for a decision. */
  children?: ReactNode
}

/** The tool calls, the text and the ending of a reply. */
export function ReplyBody({ message, refusal, retry, children }: ReplyBodyProps) {
  const { content, citations, handoffs, tool_calls: calls, status, reasoning, output, details } = message
  const isRunning = status === 'running'
  const failure =
    message.error === null ? null : { code: message.code ?? '', message: message.error, details: details ?? [] }
  // The same function while text streams in, so that finished blocks are not rendered again.
  const renderCitation = useCallback(
    (label: string) => {
      const citation = citations.find(({ index }) => String(index) === label)
      if (!citation) return `[${label}]`
      const tool = calls.find(({ id }) => id === citation.tool_call_id)?.tool_id ?? null
      return <CitationButton citation={citation} tool={tool} />
    },
    [citations, calls],
  )
  return (
    <>
      {reasoning && (
        <details className="reasoning" open={isRunning && content === ''}>
          <summary>Reasoning</summary>
          <p>{reasoning}</p>
        </details>
      )}
      {calls
        .filter((call) => !isWaiting(call))
        .map((call) => (
          <ToolCall key={call.id} call={call} {...(refusal && { refusal })} />
        ))}
      {handoffs.length > 0 && <HandoffLine handoffs={handoffs} />}
      {content !== '' && (
        <div className={isRunning ? 'typing-text' : ''}>
          {output === null ? (
            <Markdown text={content} renderCitation={renderCitation} />
          ) : (
            <CodeBlock text={json(output)} label="Reply" language="json" />
          )}
        </div>
      )}
      {isRunning && <span className="muted typing">{content === '' ? 'Thinking' : ''}</span>}
      {children}
      {endings[status] && (
        <p className={`notice ${status === 'failed' ? 'bad' : 'warn'}`}>
          <TriangleAlert aria-hidden size={16} />
          <span className="ending">
            {endings[status]} {failure && explain(failure).text} {failure && <ErrorAction failure={failure} />}
          </span>
          {retry}
        </p>
      )}
    </>
  )
}

const isPending = (status: Message['status']): boolean => status.startsWith('awaiting_')

const needsApproval = ({ status, approved }: Message['tool_calls'][number]): boolean =>
  status === 'awaiting_approval' && approved === undefined

const needsPerson = ({ status, connection, inputs }: Message['tool_calls'][number]): boolean =>
  (status === 'awaiting_connection' && connection?.status === 'required') ||
  (status === 'awaiting_input' && inputs?.at(-1)?.action === null)

const isWaiting = (call: Message['tool_calls'][number]): boolean => needsApproval(call) || needsPerson(call)

export const Reply = memo((props: ReplyProps) => {
  const { message, session, mayDecide, isFound } = props
  const { status, tool_calls: calls } = message
  const check = useCallback(() => void session.refresh().catch(() => {}), [session])
  return (
    <article id={message.id} className={isFound ? 'message assistant found' : 'message assistant'} aria-label="Reply">
      <ReplyBody
        message={message}
        retry={
          props.isLast && (
            <Button small icon={RefreshCw} onClick={() => void session.regenerate(message.id).catch(showError)}>
              Retry
            </Button>
          )
        }
      >
        {calls.filter(needsApproval).map((call) => (
          <Suspense key={call.id}>
            <Approval
              call={call}
              mayDecide={mayDecide}
              onDecide={(decision) => session.decide(message.id, call.id, decision).catch(showError)}
              onDecided={() => void session.refresh()}
            />
          </Suspense>
        ))}
        {calls.filter(needsPerson).map((call) => (
          <Suspense key={call.id}>
            <Need
              call={call}
              mayAct={props.mayChat}
              onAnswer={(answer) => session.answer(message.id, call.id, answer)}
              onCheck={check}
            />
          </Suspense>
        ))}
      </ReplyBody>
      {message.memories.written.length + message.memories.recalled.length > 0 && (
        <Suspense>
          <Remembered memories={message.memories} onUndone={(id) => session.forget(message.id, id)} />
        </Suspense>
      )}
      {status !== 'running' && !isPending(status) && <ReplyFooter {...props} />}
    </article>
  )
})

function ReplyFooter(props: ReplyProps) {
  const { message, session, isLast, mayChat, maySwitch, showsFigures, model, actions } = props
  const { id, usage, feedback, latency_ms: latency, content, scores } = message
  const [showsTrace, setShowsTrace] = useState(false)
  const [asksReason, setAsksReason] = useState(false)
  const rate = (rating: 'up' | 'down', comment: string | null = null) =>
    void session.rate(id, rating, comment).catch(showError)
  const traceId = `trace-${id}`
  const figures = [
    usage && `${count(usage.total_tokens)} tokens`,
    usage && !usage.unpriced_requests && dollars(usage.cost),
    latency !== null && milliseconds(latency),
  ]
  return (
    <>
      <footer className="message-foot">
        <MessageVersions message={message} session={session} disabled={!maySwitch} />
        {content !== '' && <CopyButton text={content} label="Copy reply" />}
        {mayChat && (
          <>
            <IconButton
              icon={ThumbsUp}
              label="Good reply"
              aria-pressed={feedback?.rating === 'up'}
              onClick={() => {
                setAsksReason(false)
                rate('up')
              }}
            />
            <IconButton
              icon={ThumbsDown}
              label="Bad reply"
              aria-pressed={feedback?.rating === 'down'}
              onClick={() => {
                setAsksReason(true)
                if (feedback?.rating !== 'down') rate('down')
              }}
            />
          </>
        )}
        {isLast && mayChat && (
          <IconButton
            icon={RefreshCw}
            label="Regenerate"
            onClick={() => void session.regenerate(id).catch(showError)}
          />
        )}
        {showsFigures && (
          <IconButton
            icon={ChartNoAxesGantt}
            label="Trace"
            aria-expanded={showsTrace}
            aria-controls={traceId}
            onClick={() => setShowsTrace(!showsTrace)}
          />
        )}
        {actions?.(message)}
        <span className="figures">
          {model !== null && `${model} · `}
          {showsFigures && [...figures.filter(Boolean), ''].join(' · ')}
          {showsFigures && usage?.unpriced_requests !== undefined && (
            <>
              <Link to="/models" search={{ model: message.model_id } as never}>
                cost {costText(usage.cost, false)}
              </Link>{' '}
              ·{' '}
            </>
          )}
          <SentAt at={message.created_at} />
        </span>
      </footer>
      {scores && scores.length > 0 && (
        <Suspense>
          <ReplyScores scores={scores} />
        </Suspense>
      )}
      {asksReason && (
        <FeedbackReason
          comment={feedback?.comment ?? ''}
          onSend={(comment) => {
            setAsksReason(false)
            rate('down', comment)
          }}
          onClose={() => setAsksReason(false)}
        />
      )}
      {showsFigures && (
        <div id={traceId} hidden={!showsTrace}>
          <Suspense>{showsTrace && <TracePanel message={message} />}</Suspense>
        </div>
      )}
    </>
  )
}
