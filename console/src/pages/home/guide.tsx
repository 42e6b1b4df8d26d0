import { useQuery } from '@tanstack/react-query'
import { MessageSquarePlus, Sparkles } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import { Chat } from '../../chat/chat.tsx'
import { useChatSession } from '../../chat/use-chat-session.ts'
import { Button } from '../../ui/button.tsx'
import { useListParams } from '../../ui/list.tsx'
import { Empty } from '../../ui/states.tsx'

const questions = [
  'What is Parley?',
  'How do I give an agent knowledge?',
  'How do I connect a language model?',
  'What happens when a budget is exceeded?',
]

/** A chat with the agent of the first start, which answers from Parley's documents. */
export function Guide() {
  const guide = useQuery({
    queryKey: ['agents', 'guide'],
    queryFn: async ({ signal }) => {
      // It is the first agent of its workspace, whatever it is called now.
      const query = { limit: 1, sort: 'created_at', order: 'asc', status: 'active' } as const
      const [first] = (await parley.agents.list(query, { signal }).page()).data
      const agent = first && (await parley.agents.get(first.id, { signal }))
      return agent?.metadata.demo === 'true' ? agent : null
    },
    staleTime: 60_000,
  })
  return guide.data ? <GuideChat id={guide.data.id} name={guide.data.name} /> : null
}

function GuideChat({ id, name }: { id: string; name: string }) {
  const { search, change } = useListParams()
  const { session, state, restart } = useChatSession(id, search.conversation ?? null, (conversation) => {
    change({ conversation })
    void queries.invalidateQueries({ queryKey: ['conversations'] })
  })
  return (
    <Chat
      session={session}
      state={state}
      mayChat
      placeholder="Ask about Parley…"
      head={
        <header className="chat-head">
          <h2 className="grow">{name}</h2>
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
        <Empty
          icon={Sparkles}
          title="Ask how something works"
          action={
            <div className="suggestions">
              {questions.map((question) => (
                <Button key={question} small onClick={() => void session.send(question)}>
                  {question}
                </Button>
              ))}
            </div>
          }
        >
          Answers come from Parley’s documents, with citations.
        </Empty>
      }
    />
  )
}
