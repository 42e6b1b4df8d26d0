import { MessageSquarePlus, Sparkles } from 'lucide-react'
import { queries } from '../../api/queries.ts'
import { Chat } from '../../chat/chat.tsx'
import { Snippets } from '../../chat/snippets.tsx'
import { useTalk } from '../../chat/use-talk.ts'
import { Button } from '../../ui/button.tsx'
import { useListAddress } from '../../ui/list.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Agent } from './draft.ts'

/** Talks to the agent as it is saved. The conversation is in the address, so a reload goes on with it. */
export function Playground({ agent }: { agent: Agent }) {
  const { search, change } = useListAddress()
  const { talk, state, restart } = useTalk(agent.id, search.conversation ?? null, (id) => {
    change({ conversation: id })
    void queries.invalidateQueries({ queryKey: ['conversations'] })
  })
  const lastQuestion = state.messages.findLast(({ role }) => role === 'user')?.content
  return (
    <Chat
      talk={talk}
      state={state}
      mayTalk
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
          Write a message below. You talk to the version that is saved, and see every step it takes.
        </Empty>
      }
    />
  )
}
