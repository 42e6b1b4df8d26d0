import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { toOptions } from '../../ui/distinct.ts'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'

type AgentName = Pick<Schemas['AgentListItem'], 'id' | 'name' | 'description' | 'created_at'>

/** The values of new variables, by agent. */
export type NewValues = Record<string, Record<string, string>>

export const useTemplateAgents = (template: string) =>
  useQuery({
    queryKey: ['agents', 'of-template', template],
    queryFn: ({ signal }) => parley.agents.list({ prompt_template_id: template, limit: 100 }, { signal }).all(500),
  })

interface UsedByProps {
  agents: AgentName[]
  /** Variables that the saved template does not have. */
  added: string[]
  values: NewValues
  onChange: (values: NewValues) => void
}

/** Lists the agents of a template, and asks for the values of new variables, without which their next message would fail. */
export const UsedBy = ({ agents, added, values, onChange }: UsedByProps) => (
  <Card title="Used by">
    {added.length > 0 && (
      <p className="notice">Enter what each agent uses for {added.join(', ')}. It is saved with the template.</p>
    )}
    <ul className="used-by">
      {toOptions(agents).map(({ value: id, label: name }) => (
        <li key={id}>
          <Link to={`/agents/${id}`}>{name}</Link>
          {added.length > 0 && (
            <div className="columns">
              {added.map((variable) => (
                <TextField
                  key={variable}
                  label={`${variable} of ${name}`}
                  value={values[id]?.[variable] ?? ''}
                  required
                  onChange={(value) => onChange({ ...values, [id]: { ...values[id], [variable]: value } })}
                />
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  </Card>
)

/** Gives agents the values of new variables. Values of variables that the template does not have yet are ignored. */
export async function saveValues(agents: AgentName[], added: string[], values: NewValues): Promise<void> {
  if (added.length === 0) return
  for (const { id } of agents) {
    const { prompt_variables: before } = await parley.agents.get(id)
    const addedValues = Object.fromEntries(added.map((name) => [name, values[id]?.[name] ?? '']))
    await parley.agents.update(id, { prompt_variables: { ...before, ...addedValues } })
  }
}
