import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { Chat } from '../../chat/chat.tsx'
import { ChatHead, usePageChat } from '../../chat/page-chat.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'

const questions = [
  'What is Parley?',
  'How do I give an agent knowledge?',
  'How do I connect a language model?',
  'What happens when a budget is exceeded?',
]

/** The agent of the first start, which answers from Parley's documents; null if there is none. */
export const useGuide = (enabled: boolean) =>
  useQuery({
    queryKey: ['agents', 'guide'],
    queryFn: async ({ signal }) => {
      // It is the first agent of its workspace, whatever it is called now.
      const query = { limit: 1, sort: 'created_at', order: 'asc', status: 'active' } as const
      const [first] = (await parley.agents.list(query, { signal }).page()).data
      const agent = first && (await parley.agents.get(first.id, { signal }))
      return agent?.metadata.demo === 'true' ? agent : null
    },
    enabled,
    staleTime: 60_000,
  })

/** A chat with the guide. */
export function Guide({ id, name }: { id: string; name: string }) {
  const { session, state, startNew } = usePageChat(id)
  return (
    <Chat
      session={session}
      state={state}
      mayChat
      placeholder="Ask about Parley…"
      head={<ChatHead title={name} isEmpty={state.messages.length === 0} onNew={startNew} />}
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
