import type { ConversationWithMessages, Schemas } from '@parley/client'
import { MessageCircle, MessageSquarePlus, PanelLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useActiveAgents, useAgents } from '../../api/lookups.ts'
import { usePersonName } from '../../api/people.ts'
import { queries } from '../../api/queries.ts'
import { Chat } from '../../chat/chat.tsx'
import { useChatSession } from '../../chat/use-chat-session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { Select } from '../../ui/select.tsx'
import { Empty } from '../../ui/states.tsx'
import { MemoryChoice } from './memory-choice.tsx'
import { ShareButton } from './share.tsx'

interface ChatPaneProps {
  me: Schemas['Me']
  id: string | null
  /** The message that the chat opens at, instead of the last one. */
  message: string | null
  /** Undefined chooses one for a new chat; empty while that of an existing conversation is loaded. */
  agent: string | undefined
  conversation: ConversationWithMessages | undefined
  onAgent: (id: string) => void
  onStarted: (id: string) => void
  onNew: () => void
  onHistory: () => void
}

const refreshHistory = () => void queries.invalidateQueries({ queryKey: ['chats'] })
const lastAgentKey = 'parley-agent'

/** The open chat: an existing conversation, or a new one with a choice of agents. */
export function ChatPane(props: ChatPaneProps) {
  const agents = useActiveAgents()
  const active = agents.data ?? []
  const remembered = localStorage.getItem(lastAgentKey)
  const agent = props.agent ?? active.find(({ id }) => id === remembered)?.id ?? active[0]?.id
  if (agents.data && agent === undefined)
    return (
      <section className="chat">
        <Empty icon={MessageCircle} title="No agents yet">
          There is nobody to chat with yet. An agent has to be created first.
        </Empty>
      </section>
    )
  return agent !== undefined && <OpenChat {...props} agent={agent} agents={active} />
}

interface OpenChatProps extends ChatPaneProps {
  agent: string
  agents: Schemas['AgentListItem'][]
}

function OpenChat({
  me,
  id,
  message,
  agent,
  agents,
  conversation,
  onAgent,
  onStarted,
  onNew,
  onHistory,
}: OpenChatProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { session, state } = useChatSession(
    agent,
    id,
    (started) => {
      localStorage.setItem(lastAgentKey, agent)
      onStarted(started)
      refreshHistory()
    },
    message,
  )
  const isForeign = conversation !== undefined && conversation.user_id !== me.user_id
  const all = useAgents().data // an agent that was archived has a name, too
  const name = all?.find(({ id: each }) => each === agent)?.name
  const personName = usePersonName()
  const isNew = session.id === null
  // The chats at the left are sorted by what is said here: read again after each reply.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when these change
  useEffect(() => refreshHistory, [state.isRunning, state.title])
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [])

  return (
    <Chat
      session={session}
      state={state}
      mayChat={!isForeign}
      mayAttach
      field={field}
      draft={session.id ?? 'chat'}
      placeholder={`Message ${name ?? 'the agent'}…`}
      head={
        <header className="chat-head">
          <span className="narrow-only-inline">
            <IconButton icon={PanelLeft} label="Show chats" onClick={onHistory} />
          </span>
          {isNew && agents.length > 1 ? (
            <Select aria-label="Agent" value={agent} onChange={onAgent} options={toOptions(agents)} />
          ) : (
            <h2 className="clip">{name}</h2>
          )}
          <span className="grow clip muted" dir="auto">
            {state.title}
          </span>
          {!isNew && !isForeign && session.id !== null && <ShareButton id={session.id} />}
          <span className="narrow-only-inline">
            <IconButton icon={MessageSquarePlus} label="New chat" onClick={onNew} />
          </span>
        </header>
      }
      empty={
        <Empty
          icon={MessageCircle}
          title={name === undefined ? 'New chat' : `Chat with ${name}`}
          action={isNew && <MemoryChoice key={agent} agent={agent} session={session} />}
        >
          {agents.find((each) => each.id === agent)?.description ?? 'Ask a question to begin.'}
        </Empty>
      }
      closed={
        <p className="chat-closed">
          {isForeign
            ? `${conversation?.shared ? 'Shared by' : 'A chat of'} ${conversation?.user_id ? personName(conversation.user_id) : 'someone in your workspace'}. You can read it, not reply.`
            : 'This chat has ended.'}{' '}
          <Button small icon={MessageSquarePlus} onClick={onNew}>
            New chat
          </Button>
        </p>
      }
    />
  )
}
