import { Columns2, Sparkles } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Chat } from '../../chat/chat.tsx'
import { Composer } from '../../chat/composer.tsx'
import { ChatHead, usePageChat } from '../../chat/page-chat.tsx'
import { Snippets } from '../../chat/snippets.tsx'
import { TryThread, useTrySession } from '../../chat/try-thread.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/states.tsx'
import { Compare } from './compare.tsx'
import type { Agent, Draft } from './draft.ts'

/** Chats with the saved agent. */
export function Playground({ agent }: { agent: Agent }) {
  return <SavedChat agent={agent} chat={usePageChat(agent.id)} />
}

interface DraftPlaygroundProps {
  agent: Agent
  changes: Partial<Draft>
  /** Called with the validation error of the draft, or with null before it is tried. */
  onTried: (error: unknown) => void
}

/** Chats with the saved agent, or with the draft without saving it, or compares two. */
export function DraftPlayground({ agent, changes, onTried }: DraftPlaygroundProps) {
  const chat = usePageChat(agent.id)
  const { session, state } = useTrySession(agent.id)
  const [chosen, setChosen] = useState<'live' | 'draft' | null>(null)
  const [isComparing, setIsComparing] = useState(false)
  const mode = chosen ?? (Object.keys(changes).length > 0 ? 'draft' : 'live')
  const lastQuestion = chat.state.messages.findLast(({ role }) => role === 'user')?.content
  const send = async (text: string) => {
    setChosen('draft') // a reply stays in view when the draft is saved
    onTried(null)
    const isAccepted = await session.send(text, changes)
    if (!isAccepted) onTried(session.snapshot().error)
    return isAccepted
  }
  const modes = (
    <div className="chat-modes">
      <Choice
        label="What to chat with"
        value={mode}
        onChange={setChosen}
        options={[
          { value: 'live', label: 'Live' },
          { value: 'draft', label: 'Draft' },
        ]}
      />
      <span className="muted small grow">
        {mode === 'draft' ? 'Uses the form. Nothing is stored.' : 'What users get. Stored as a conversation.'}
      </span>
    </div>
  )
  const compare = (
    <Button small variant="quiet" icon={Columns2} onClick={() => setIsComparing(true)}>
      Compare
    </Button>
  )
  return (
    <>
      {mode === 'live' ? (
        <SavedChat agent={agent} chat={chat} actions={compare} modes={modes} />
      ) : (
        <section className="chat" aria-label="Draft">
          <div>
            <ChatHead title="Playground" isEmpty={state.messages.length === 0} onNew={() => session.reset()}>
              {compare}
            </ChatHead>
            {modes}
          </div>
          <TryThread
            state={state}
            label="Messages with the draft"
            empty={
              <Empty
                icon={Sparkles}
                title="Try the draft"
                action={
                  lastQuestion && (
                    <Button small onClick={() => void send(lastQuestion)}>
                      <span className="clip">Ask again: {lastQuestion}</span>
                    </Button>
                  )
                }
              >
                Send a message to run the agent as it is in the form, before you save it.
              </Empty>
            }
          />
          <Composer
            isRunning={state.isRunning}
            placeholder={`Message the draft of ${agent.name}…`}
            draft={chat.conversation ?? `new ${agent.id}`}
            onSend={send}
            onStop={() => session.stop()}
          />
        </section>
      )}
      {isComparing && (
        <Compare agent={agent} changes={changes} onTried={onTried} onClose={() => setIsComparing(false)} />
      )}
    </>
  )
}

interface SavedChatProps {
  agent: Agent
  chat: ReturnType<typeof usePageChat>
  actions?: ReactNode
  modes?: ReactNode
}

function SavedChat({ agent, chat, actions, modes }: SavedChatProps) {
  const { session, state, conversation, startNew } = chat
  const lastQuestion = state.messages.findLast(({ role }) => role === 'user')?.content
  return (
    <Chat
      session={session}
      state={state}
      mayChat
      mayAttach
      draft={conversation ?? `new ${agent.id}`}
      placeholder={`Message ${agent.name}…`}
      head={
        <div>
          <ChatHead title="Playground" isEmpty={state.messages.length === 0} onNew={startNew}>
            {actions}
            <Snippets agent={agent.id} message={lastQuestion ?? 'Hello'} />
          </ChatHead>
          {modes}
        </div>
      }
      empty={
        <Empty icon={Sparkles} title={`Try ${agent.name}`}>
          Send a message to the saved version and see every step it takes.
        </Empty>
      }
    />
  )
}
