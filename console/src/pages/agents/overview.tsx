import { nameById, useModels } from '../../api/lookups.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import type { Agent } from './draft.ts'

/** The read-only view of an agent. */
export function Overview({ agent }: { agent: Agent }) {
  const models = useModels()
  const model = agent.model_id ? nameById(models.data, agent.model_id) : 'Default model'
  return (
    <div className="sections">
      <Card title="About">
        <dl className="facts">
          <dt>Model</dt>
          <dd>{model}</dd>
          <dt>Topics</dt>
          <dd className="row">
            {agent.topics.length === 0 ? '–' : agent.topics.map((topic) => <Badge key={topic}>{topic}</Badge>)}
          </dd>
          <dt>Updated</dt>
          <dd>
            <Ago at={agent.updated_at} /> (version {agent.version})
          </dd>
        </dl>
      </Card>
      {agent.system_prompt && (
        <Card title="Instructions">
          <CodeBlock text={agent.system_prompt} label="Instructions" />
        </Card>
      )}
    </div>
  )
}
