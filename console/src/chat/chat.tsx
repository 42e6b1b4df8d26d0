import type { Message } from '@parley/client'
import { Send, Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorPanel, Loading } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'
import { Reply } from './reply.tsx'
import type { Talk, TalkState } from './talk.ts'

interface ChatProps {
  talk: Talk
  state: TalkState
  head?: ReactNode
  /** What to show before anything is said. */
  empty: ReactNode
  mayTalk: boolean
  placeholder?: string
  /** What else can be done with a reply. */
  actions?: (message: Message) => ReactNode
}

export function Chat({ talk, state, head, empty, mayTalk, actions, placeholder = 'Write a message…' }: ChatProps) {
  const { messages, isLoading, isRunning, isReconnecting, isRefused, error } = state
  const log = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const last = messages.at(-1)

  useEffect(() => {
    const element = log.current
    if (element && follows.current && (messages.length > 0 || isRunning)) element.scrollTop = element.scrollHeight
  }, [messages, isRunning])

  return (
    <section className="chat" aria-label="Conversation">
      {head ?? <span />}
      <div
        className="chat-log"
        ref={log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard
        tabIndex={0}
        role="log"
        aria-label="Messages"
        aria-busy={isRunning}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < 60
        }}
      >
        {isLoading && <Loading />}
        {!isLoading && messages.length === 0 && !error && empty}
        {messages.map((message) =>
          message.role === 'user' ? (
            <div key={message.id} className="message user">
              <div className="bubble">{message.content}</div>
            </div>
          ) : (
            <Reply
              key={message.id}
              message={message}
              talk={talk}
              isLast={message === last}
              mayTalk={mayTalk}
              more={actions?.(message)}
            />
          ),
        )}
        {isRunning && last?.role === 'user' && <p className="muted typing">Thinking</p>}
        {error !== null && !isRunning && <ErrorPanel error={error} onRetry={() => void talk.open()} />}
      </div>
      <div>
        {isReconnecting && (
          <p className="connection" role="status">
            The connection was lost. The reply goes on; connecting again…
          </p>
        )}
        {isRefused && isRunning && (
          <p className="connection" role="status">
            Another message is being answered. Send yours when that is done.
          </p>
        )}
        {mayTalk && state.status === 'active' && (
          <Composer
            isRunning={isRunning}
            placeholder={placeholder}
            onSend={(text) => {
              follows.current = true
              return talk.send(text)
            }}
            onStop={() => talk.stop().catch(tellError)}
          />
        )}
      </div>
    </section>
  )
}

interface ComposerProps {
  isRunning: boolean
  placeholder: string
  onSend: (text: string) => Promise<boolean>
  onStop: () => void
}

function Composer({ isRunning, placeholder, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('')
  const send = async () => {
    const said = text.trim()
    if (said === '' || isRunning) return
    setText('')
    if (!(await onSend(said))) setText((now) => now || said)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape' && isRunning) onStop()
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        rows={1}
        aria-label="Message"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isRunning ? (
        <Button icon={Square} onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button type="submit" variant="primary" icon={Send} disabled={text.trim() === ''}>
          Send
        </Button>
      )}
    </form>
  )
}
