import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useModels, useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../app/permissions.ts'
import { Card } from '../../ui/page.tsx'

interface StepProps {
  isDone: boolean
  title: string
  text: string
  to: string
}

const Step = ({ isDone, title, text, to }: StepProps) => (
  <li>
    {isDone ? (
      <CircleCheck className="done" size={20} aria-label="Done" />
    ) : (
      <CircleDashed size={20} aria-label="To do" />
    )}
    <span className="grow">
      <Link to={to}>
        <strong>{title}</strong>
      </Link>
      <br />
      <span className="muted">{text}</span>
    </span>
  </li>
)

/** What to do first, until a model of a provider is connected. */
export function FirstSteps() {
  const may = useMay()
  const models = useModels()
  const sources = useSources()
  const status = useQuery({ queryKey: ['status'], queryFn: ({ signal }) => parley.status({ signal }) })
  if (!models.data || !status.data) return null
  const hasModel = models.data.some(({ provider }) => provider !== 'local')
  if (hasModel) return null
  const { counts } = status.data
  // Of texts alone there are always some: those that Parley brings along.
  const own = (sources.data ?? []).filter(({ type }) => type !== 'text')
  const isFed = own.some(({ last_sync: last }) => last !== null)
  const waiting = own[0]
  return (
    <Card title="First steps">
      <p className="muted">
        The local model answers without a key or a network, by quoting what it finds. Connect a provider’s model for
        real conversations.
      </p>
      <ul className="steps">
        <Step
          isDone={(counts.conversations ?? 0) > 0}
          title="Talk to an agent"
          text="Open one and try it in the playground beside its settings."
          to="/agents"
        />
        <Step
          isDone={hasModel}
          title="Connect a model"
          text={
            may('administer')
              ? 'OpenAI, Anthropic, Google, Mistral, Ollama and everything that speaks the OpenAI wire.'
              : 'An administrator of this workspace can do this.'
          }
          to="/models"
        />
        <Step
          isDone={isFed}
          title="Give it knowledge"
          text="Upload a document: agents answer from it and cite the passages their answers rest on."
          to={waiting ? `/knowledge/${waiting.id}` : '/knowledge?new=yes'}
        />
        <Step
          isDone={(counts.prompt_templates ?? 0) > 0}
          title="Share a prompt"
          text="A template with variables that several agents use."
          to="/prompts"
        />
      </ul>
    </Card>
  )
}
