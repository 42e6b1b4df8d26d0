import type { Message } from '@parley/client'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import { nameById, useModels } from '../api/lookups.ts'
import { useMay } from '../api/permissions.ts'
import { ErrorPanel } from '../parts/error-panel.tsx'
import { Loading } from '../ui/states.tsx'
import { showError } from '../ui/toasts.tsx'
import { type ChatSession, type ChatState, hasOlder } from './chat-session.ts'
import { Composer } from './composer.tsx'
import { isStored } from './message.ts'
import { groupsFrom } from './message-groups.ts'
import { type Edit, Question } from './question.tsx'
import { Reply } from './reply.tsx'
import { usePrinting } from './use-printing.ts'
import { useScrolling } from './use-scrolling.ts'

interface ChatProps {
  session: ChatSession
  state: ChatState
  head?: ReactNode
  /** Shown while there are no messages. */
  empty: ReactNode
  mayChat: boolean
  /** Whether messages can be edited and sent again. Default: if the reader may chat. */
  mayEdit?: boolean
  /** Whether other versions of messages can be shown. Default: if the reader may chat. */
  maySwitch?: boolean
  /** Whether calls that wait can be decided about. Default: if the reader may chat. */
  mayDecide?: boolean
  /** Whether files can be attached. */
  mayAttach?: boolean
  placeholder?: string
  /** Shown above the composer. */
  notice?: ReactNode
  /** Shown in place of the composer if nothing can be sent. */
  closed?: ReactNode
  /** The storage key of the unsent message. Default: the conversation. */
  draft?: string
  field?: Ref<HTMLTextAreaElement>
  /** Extra actions on a reply. Must be a stable function, or all replies are rendered again. */
  actions?: (message: Message) => ReactNode
}

/** Whether the summary ends before this group, and after the one before it. */
const isSummarizedBefore = (group: Message[], { summary, messages }: ChatState): boolean => {
  const next = summary && messages.find(({ id }) => id > summary.up_to_message_id)
  return next !== null && next !== undefined && group.includes(next)
}

const SummaryFold = ({ summary }: { summary: NonNullable<ChatState['summary']> }) => (
  <details className="reasoning">
    <summary>The model gets the messages above as a summary</summary>
    <p>{summary.content}</p>
  </details>
)

export function Chat(props: ChatProps) {
  const {
    session,
    state,
    head,
    empty,
    mayChat,
    mayEdit = mayChat,
    maySwitch = mayChat,
    actions,
    closed,
    field,
    placeholder = 'Write a message…',
  } = props
  const { messages, isLoading, isLoadingOlder, isRunning, isReconnecting, isBusy, error } = state
  const showsFigures = useMay()('read-configuration')
  const models = useModels().data
  const [editing, setEditing] = useState<Edit | null>(null)
  const { log, onScroll, stayAtBottom } = useScrolling(state, () => {
    if (hasOlder(state)) void session.loadOlder()
  })
  usePrinting(session, hasOlder(state))
  const last = messages.at(-1)
  const groups = useGroups(messages)
  const isOpen = mayChat && state.status === 'active'

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
        onScroll={onScroll}
      >
        {isLoading && <Loading />}
        {hasOlder(state) && (
          <p className="print-note">Earlier messages are left out. Print with Ctrl P to have all of them.</p>
        )}
        {isLoadingOlder && <p className="muted small older">Loading earlier messages…</p>}
        {!isLoading && messages.length === 0 && !error && empty}
        {groups.map(({ key, messages: group }) => (
          <div key={key} className="message-group">
            {isSummarizedBefore(group, state) && state.summary && <SummaryFold summary={state.summary} />}
            {group.map((message) =>
              message.role === 'user' ? (
                <Question
                  key={message.id}
                  message={message}
                  session={session}
                  mayEdit={isOpen && mayEdit && message.author === undefined}
                  maySwitch={maySwitch}
                  isFound={state.found === message.id}
                  edited={editing?.message === message.id ? editing.text : null}
                  onEdit={setEditing}
                />
              ) : (
                <Reply
                  key={message.id}
                  message={message}
                  session={session}
                  isLast={message === last && isOpen}
                  isFound={state.found === message.id}
                  mayChat={mayChat}
                  maySwitch={maySwitch}
                  mayDecide={props.mayDecide ?? mayChat}
                  showsFigures={showsFigures}
                  model={models && message.model_id !== null ? nameById(models, message.model_id) : null}
                  actions={actions}
                />
              ),
            )}
          </div>
        ))}
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
        {isOpen && props.notice}
        {isOpen ? (
          <Composer
            isRunning={isRunning}
            placeholder={placeholder}
            draft={props.draft ?? session.id ?? 'new'}
            {...(field && { field })}
            mayAttach={props.mayAttach ?? false}
            onSend={(text, attachments) => {
              stayAtBottom()
              return session.send(text, undefined, attachments)
            }}
            onStop={() => session.stop().catch(showError)}
            onEditLast={() => {
              const asked = messages.findLast((each) => each.role === 'user' && isStored(each) && !each.author)
              if (!mayEdit) return
              setEditing(asked ? { message: asked.id, text: asked.content } : null)
            }}
          />
        ) : (
          !isLoading && closed
        )}
      </div>
    </section>
  )
}

/** Messages in groups that the browser lays out together. Earlier messages that are loaded later form groups of their own. */
function useGroups(messages: readonly Message[]) {
  const origin = useRef<string | undefined>(undefined)
  const at = messages.findIndex(({ id }) => id === origin.current)
  if (at === -1) origin.current = messages[0]?.id
  return groupsFrom(messages, Math.max(0, at))
}
