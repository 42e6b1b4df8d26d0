import { useNavigate } from '@tanstack/react-router'
import { MessageCircleQuestion } from 'lucide-react'
import { parley } from '../api/parley.ts'
import { useSave } from '../api/save.ts'
import { Button } from '../ui/button.tsx'

interface Source {
  id: string
  name: string
}

/** The agent that answers from a source alone. Its tool and itself are created on first use. */
async function agentFor({ id, name }: Source) {
  const found = await parley.ragTools.list({ knowledge_source_id: id, limit: 1, order: 'asc' }).page()
  const tool =
    found.data[0] ??
    (await parley.ragTools.create({
      name,
      description: `Searches the documents in ${name}.`.slice(0, 1000),
      knowledge_source_id: id,
    }))
  const agents = await parley.agents.list({ status: 'active', limit: 100 }).all(500)
  const existing = agents.find(({ tools }) => tools.length === 1 && tools[0] === tool.id)
  return (
    existing ??
    parley.agents.create({
      name,
      description: `Answers from the documents in ${name}.`.slice(0, 1000),
      system_prompt: instructions,
      tools: [tool.id],
    })
  )
}

const instructions =
  'Answer questions from the documents: look each question up, answer briefly, and cite what you found as [n]. If the documents do not answer a question, say so.'

/** Creates an agent for the documents of a source, and opens the chat. */
export function AskDocuments({ source, disabled, primary }: { source: Source; disabled?: boolean; primary?: boolean }) {
  const navigate = useNavigate()
  const ask = useSave({
    invalidates: ['agents', 'rag-tools', 'tools', 'status'],
    run: () => agentFor(source),
    onDone: ({ id }) => void navigate({ to: '/chat', search: { agent: id } as never }),
  })
  return (
    <Button
      variant={primary ? 'primary' : 'plain'}
      icon={MessageCircleQuestion}
      busy={ask.isPending}
      disabled={disabled === true}
      onClick={() => ask.mutate(undefined)}
    >
      Ask these documents
    </Button>
  )
}
