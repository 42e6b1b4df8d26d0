import type { Message } from '@parley/client'
import { Send, Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorPanel, Loading } from '../ui/states.tsx'
import { showError } from '../ui/toasts.tsx'
import type { ChatSession, ChatState } from './chat-session.ts'
import { Reply } from './reply.tsx'

interface ChatProps {
  session: ChatSession
  state: ChatState
  head?: ReactNode
  /** Shown while there are no messages. */
  empty: ReactNode
  mayChat: boolean
  placeholder?: string
  /** Further actions on a reply. */
  actions?: (message: Message) => ReactNode
}

export function Chat({ session, state, head, empty, mayChat, actions, placeholder = 'Write a message…' }: ChatProps) {
  const { messages, isLoading, isRunning, isReconnecting, isBusy, error } = state
  const log = useRef<HTMLDivElement>(null)
  const isAtBottom = useRef(true)
  const last = messages.at(-1)

  useEffect(() => {
    const element = log.current
    if (element && isAtBottom.current && (messages.length > 0 || isRunning)) element.scrollTop = element.scrollHeight
  }, [messages, isRunning])

  return (
    <section className="chat" aria-label="Conversation">
      {head ?? <span />}
      <div
        className="chat-log"
        ref={log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label="Messages"
        aria-busy={isRunning}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtBottom.current = scrollHeight - scrollTop - clientHeight < 60
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
              session={session}
              isLast={message === last}
              mayChat={mayChat}
              more={actions?.(message)}
            />
          ),
        )}
        {isRunning && last?.role === 'user' && <p className="muted typing">Thinking</p>}
        {error !== null && !isRunning && <ErrorPanel error={error} onRetry={() => void session.open()} />}
      </div>
      <div>
        {isReconnecting && (
          <p className="connection" role="status">
            Connection lost. The reply continues on the server. Reconnecting…
          </p>
        )}
        {isBusy && isRunning && (
          <p className="connection" role="status">
            Another message is being answered. Wait for it to finish, then send yours.
          </p>
        )}
        {mayChat && state.status === 'active' && (
          <Composer
            isRunning={isRunning}
            placeholder={placeholder}
            onSend={(text) => {
              isAtBottom.current = true
              return session.send(text)
            }}
            onStop={() => session.stop().catch(showError)}
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
    const message = text.trim()
    if (message === '' || isRunning) return
    setText('')
    if (!(await onSend(message))) setText((now) => now || message)
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
