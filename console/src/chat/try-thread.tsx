import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { nameById, useModels } from '../api/lookups.ts'
import { ErrorPanel } from '../parts/error-panel.tsx'
import { Tried } from './tried-reply.tsx'
import { TrySession, type TryState } from './try-session.ts'
import { useScrolling } from './use-scrolling.ts'

/** A conversation that tries an agent. It ends with the component. */
export function useTrySession(agent: string) {
  const [session] = useState(() => new TrySession(agent))
  const state = useSyncExternalStore(session.subscribe, session.snapshot)
  useEffect(() => () => session.stop(), [session])
  return { session, state }
}

interface TryThreadProps {
  state: TryState
  label: string
  /** Shown while there are no messages. */
  empty: ReactNode
}

export function TryThread({ state, label, empty }: TryThreadProps) {
  const { messages, isRunning, error } = state
  const models = useModels().data
  const { log, onScroll } = useScrolling(state)
  return (
    <div
      className="chat-log"
      ref={log}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label={label}
      aria-busy={isRunning}
      onScroll={onScroll}
    >
      {messages.length === 0 && error === null && empty}
      {messages.map((message) =>
        message.role === 'user' ? (
          <div key={message.id} className="message user">
            <div className="bubble" dir="auto">
              {message.content}
            </div>
          </div>
        ) : (
          <Tried
            key={message.id}
            message={message}
            model={models && message.model_id !== null ? nameById(models, message.model_id) : null}
          />
        ),
      )}
      {isRunning && messages.at(-1)?.role === 'user' && <p className="muted typing">Thinking</p>}
      {error !== null && !isRunning && <ErrorPanel error={error} />}
    </div>
  )
}
