import type { Message } from '@parley/client'
import { RefreshCw, ThumbsDown, ThumbsUp, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/code.tsx'
import { count, dollars, milliseconds } from '../ui/format.ts'
import { Markdown } from '../ui/markdown.tsx'
import { tellError } from '../ui/toasts.tsx'
import { Cite } from './cite.tsx'
import { Approval, Step } from './step.tsx'
import type { Talk } from './talk.ts'

interface ReplyProps {
  message: Message
  talk: Talk
  isLast: boolean
  mayTalk: boolean
  more?: ReactNode
}

const endings: Partial<Record<Message['status'], string>> = {
  failed: 'The reply failed.',
  cancelled: 'The reply was stopped.',
  interrupted: 'The reply was interrupted; this is as far as it came.',
}

export function Reply({ message, talk, isLast, mayTalk, more }: ReplyProps) {
  const { content, citations, tool_calls: calls, status } = message
  const isRunning = status === 'running'
  const waiting = calls.filter((call) => call.status === 'awaiting_approval' && call.approved === undefined)
  const mark = (label: string) => {
    const citation = citations.find(({ index }) => String(index) === label)
    if (!citation) return `[${label}]`
    const tool = calls.find(({ id }) => id === citation.tool_call_id)?.tool_id ?? null
    return <Cite citation={citation} tool={tool} />
  }
  return (
    <article className="message assistant" aria-label="Reply">
      {calls
        .filter((call) => !waiting.includes(call))
        .map((call) => (
          <Step key={call.id} call={call} />
        ))}
      {content !== '' && (
        <div className={isRunning ? 'typing-text' : ''}>
          <Markdown text={content} mark={mark} />
        </div>
      )}
      {isRunning && <span className="muted typing">{content === '' ? 'Thinking' : ''}</span>}
      {waiting.map((call) => (
        <Approval
          key={call.id}
          call={call}
          mayDecide={mayTalk}
          onDecide={(approved) => talk.decide(message.id, call.id, approved).catch(tellError)}
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
        <Foot message={message} talk={talk} mayRepeat={isLast && mayTalk} mayRate={mayTalk} more={more} />
      )}
    </article>
  )
}

interface FootProps {
  message: Message
  talk: Talk
  mayRepeat: boolean
  mayRate: boolean
  more: ReactNode
}

function Foot({ message, talk, mayRepeat, mayRate, more }: FootProps) {
  const { id, usage, feedback, latency_ms: latency, content } = message
  const rate = (rating: 'up' | 'down') => talk.rate(id, rating).catch(tellError)
  return (
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
        <IconButton icon={RefreshCw} label="Regenerate" onClick={() => void talk.regenerate(id).catch(tellError)} />
      )}
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
  )
}
