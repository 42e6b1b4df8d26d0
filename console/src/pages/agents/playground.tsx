import { Sparkles } from 'lucide-react'
import { Chat } from '../../chat/chat.tsx'
import { ChatHead, usePageChat } from '../../chat/page-chat.tsx'
import { Snippets } from '../../chat/snippets.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Agent } from './draft.ts'

/** Chats with the saved agent. */
export function Playground({ agent }: { agent: Agent }) {
  const { session, state, conversation, startNew } = usePageChat(agent.id)
  const lastQuestion = state.messages.findLast(({ role }) => role === 'user')?.content
  return (
    <Chat
      session={session}
      state={state}
      mayChat
      draft={conversation ?? `new ${agent.id}`}
      placeholder={`Message ${agent.name}…`}
      head={
        <ChatHead title="Playground" isEmpty={state.messages.length === 0} onNew={startNew}>
          <Snippets agent={agent.id} message={lastQuestion ?? 'Hello'} />
        </ChatHead>
      }
      empty={
        <Empty icon={Sparkles} title={`Try ${agent.name}`}>
          Send a message to the saved version and see every step it takes.
        </Empty>
      }
    />
  )
}
