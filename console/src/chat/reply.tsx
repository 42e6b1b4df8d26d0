import type { Message } from '@parley/client'
import { ChartNoAxesGantt, RefreshCw, ThumbsDown, ThumbsUp, TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/code.tsx'
import { count, dollars, milliseconds } from '../ui/format.ts'
import { Markdown } from '../ui/markdown.tsx'
import { showError } from '../ui/toasts.tsx'
import type { ChatSession } from './chat-session.ts'
import { CitationButton } from './citation.tsx'
import { Approval, ToolCall } from './tool-call.tsx'
import { TracePanel } from './trace.tsx'

interface ReplyProps {
  message: Message
  session: ChatSession
  isLast: boolean
  mayChat: boolean
  more?: ReactNode
}

const endings: Partial<Record<Message['status'], string>> = {
  failed: 'Reply failed.',
  cancelled: 'Reply stopped.',
  interrupted: 'Reply interrupted before it finished.',
}

export function Reply({ message, session, isLast, mayChat, more }: ReplyProps) {
  const { content, citations, tool_calls: calls, status } = message
  const isRunning = status === 'running'
  const waiting = calls.filter((call) => call.status === 'awaiting_approval' && call.approved === undefined)
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
    <article className="message assistant" aria-label="Reply">
      {calls
        .filter((call) => !waiting.includes(call))
        .map((call) => (
          <ToolCall key={call.id} call={call} />
        ))}
      {content !== '' && (
        <div className={isRunning ? 'typing-text' : ''}>
          <Markdown text={content} renderCitation={renderCitation} />
        </div>
      )}
      {isRunning && <span className="muted typing">{content === '' ? 'Thinking' : ''}</span>}
      {waiting.map((call) => (
        <Approval
          key={call.id}
          call={call}
          mayDecide={mayChat}
          onDecide={(approved) => session.decide(message.id, call.id, approved).catch(showError)}
        />
      ))}
      {endings[status] && (
        <p className={`notice ${status === 'failed' ? 'bad' : 'warn'}`}>
          <TriangleAlert aria-hidden size={16} />
          <span>
            {endings[status]} {message.error}
          </span>
        </p>
      )}
      {!isRunning && status !== 'awaiting_approval' && (
        <ReplyFooter message={message} session={session} mayRepeat={isLast && mayChat} mayRate={mayChat} more={more} />
      )}
    </article>
  )
}

interface ReplyFooterProps {
  message: Message
  session: ChatSession
  mayRepeat: boolean
  mayRate: boolean
  more: ReactNode
}

function ReplyFooter({ message, session, mayRepeat, mayRate, more }: ReplyFooterProps) {
  const { id, usage, feedback, latency_ms: latency, content } = message
  const rate = (rating: 'up' | 'down') => session.rate(id, rating).catch(showError)
  const [showsTrace, setShowsTrace] = useState(false)
  const traceId = `trace-${id}`
  return (
    <>
      <footer className="message-foot">
        {content !== '' && <CopyButton text={content} label="Copy reply" />}
        {mayRate && (
          <>
            <IconButton
              icon={ThumbsUp}
              label="Good reply"
              aria-pressed={feedback?.rating === 'up'}
              onClick={() => void rate('up')}
            />
            <IconButton
              icon={ThumbsDown}
              label="Bad reply"
              aria-pressed={feedback?.rating === 'down'}
              onClick={() => void rate('down')}
            />
          </>
        )}
        {mayRepeat && (
          <IconButton
            icon={RefreshCw}
            label="Regenerate"
            onClick={() => void session.regenerate(id).catch(showError)}
          />
        )}
        <IconButton
          icon={ChartNoAxesGantt}
          label="Trace"
          aria-expanded={showsTrace}
          aria-controls={traceId}
          onClick={() => setShowsTrace(!showsTrace)}
        />
        {more}
        <span className="figures">
          {[
            usage && `${count(usage.total_tokens)} tokens`,
            usage && dollars(usage.cost),
            latency !== null && milliseconds(latency),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </footer>
      <div id={traceId} hidden={!showsTrace}>
        {showsTrace && <TracePanel message={message} />}
      </div>
    </>
  )
}
