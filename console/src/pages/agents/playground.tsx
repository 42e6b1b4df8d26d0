import { MessageSquarePlus, Sparkles } from 'lucide-react'
import { queries } from '../../api/queries.ts'
import { Chat } from '../../chat/chat.tsx'
import { Snippets } from '../../chat/snippets.tsx'
import { useChatSession } from '../../chat/use-chat-session.ts'
import { Button } from '../../ui/button.tsx'
import { useListParams } from '../../ui/list.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Agent } from './draft.ts'

/** Chats with the saved agent. The conversation id is in the URL, so a reload continues it. */
export function Playground({ agent }: { agent: Agent }) {
  const { search, change } = useListParams()
  const { session, state, restart } = useChatSession(agent.id, search.conversation ?? null, (id) => {
    change({ conversation: id })
    void queries.invalidateQueries({ queryKey: ['conversations'] })
  })
  const lastQuestion = state.messages.findLast(({ role }) => role === 'user')?.content
  return (
    <Chat
      session={session}
      state={state}
      mayChat
      draft={search.conversation ?? `new ${agent.id}`}
      placeholder={`Message ${agent.name}…`}
      head={
        <header className="chat-head">
          <h2 className="grow">Playground</h2>
          <Snippets agent={agent.id} message={lastQuestion ?? 'Hello'} />
          <Button
            small
            variant="quiet"
            icon={MessageSquarePlus}
            disabled={state.messages.length === 0}
            onClick={() => {
              change({ conversation: undefined })
              restart()
            }}
          >
            New
          </Button>
        </header>
      }
      empty={
        <Empty icon={Sparkles} title={`Try ${agent.name}`}>
          Send a message to the saved version and see every step it takes.
        </Empty>
      }
    />
  )
}
