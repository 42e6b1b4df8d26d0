import { CircleCheck, CircleDashed } from 'lucide-react'
import { useModels, useSources, useStatus } from '../../api/lookups.ts'
import { useMay } from '../../api/permissions.ts'
import { Card } from '../../ui/page.tsx'
import { LinkedItem } from './linked-item.tsx'

interface StepProps {
  isDone: boolean
  title: string
  text: string
  to: string
}

const Step = ({ isDone, ...rest }: StepProps) => (
  <LinkedItem
    icon={
      isDone ? (
        <CircleCheck className="done" size={20} aria-label="Done" />
      ) : (
        <CircleDashed size={20} aria-label="To do" />
      )
    }
    {...rest}
  />
)

/** A checklist for new workspaces, shown until a provider model is connected. */
export function GettingStarted() {
  const may = useMay()
  const models = useModels()
  const sources = useSources()
  const status = useStatus()
  if (!models.data || !status.data) return null
  const hasModel = models.data.some(({ provider }) => provider !== 'local')
  if (hasModel) return null
  const { counts } = status.data
  // Every workspace has built-in sources of type text, so those do not count.
  const own = (sources.data ?? []).filter(({ type }) => type !== 'text')
  const hasSyncedSource = own.some(({ last_sync: last }) => last !== null)
  const firstSource = own[0]
  return (
    <Card title="Get started">
      <p className="muted">
        The built-in local model needs no API key and answers by quoting your documents. Connect a provider for full
        conversations.
      </p>
      <ul className="steps">
        <Step
          isDone={(counts.conversations ?? 0) > 0}
          title="Chat with an agent"
          text="Open an agent and try it in the playground."
          to="/agents"
        />
        <Step
          isDone={hasModel}
          title="Connect a model"
          text={
            may('administer')
              ? 'OpenAI, Anthropic, Google, Mistral, Ollama or any OpenAI-compatible API.'
              : 'Ask a workspace administrator to do this.'
          }
          to="/models"
        />
        <Step
          isDone={hasSyncedSource}
          title="Add knowledge"
          text="Upload documents. Agents answer from them and cite their sources."
          to={firstSource ? `/knowledge/${firstSource.id}` : '/knowledge?new=yes'}
        />
        <Step
          isDone={(counts.prompt_templates ?? 0) > 0}
          title="Create a prompt template"
          text="Reuse one prompt with variables across agents."
          to="/prompts"
        />
      </ul>
    </Card>
  )
}
