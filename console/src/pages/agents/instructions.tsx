import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import type { AgentPart } from './draft.ts'

/** What the agent is told: a text of its own, or a template with values. */
export function Instructions({ draft, change, wrong }: AgentPart) {
  const templates = useQuery({
    queryKey: ['prompt-templates', 'all'],
    queryFn: ({ signal }) =>
      parley.promptTemplates.list({ limit: 100, sort: 'name', order: 'asc' }, { signal }).all(300),
    staleTime: 60_000,
  })
  const chosen = templates.data?.find(({ id }) => id === draft.prompt_template_id)
  return (
    <>
      {(templates.data?.length ?? 0) > 0 && (
        <SelectField
          label="From"
          value={draft.prompt_template_id ?? ''}
          error={wrong('prompt_template_id')}
          onChange={(id) =>
            change(
              id ? { prompt_template_id: id, system_prompt: null } : { prompt_template_id: null, prompt_variables: {} },
            )
          }
          options={[
            { value: '', label: 'Written here' },
            ...(templates.data ?? []).map(({ id, name }) => ({ value: id, label: `Template: ${name}` })),
          ]}
        />
      )}
      {draft.prompt_template_id === null ? (
        <TextArea
          label="System prompt"
          hint="What the agent is told before every conversation."
          rows={10}
          mono
          value={draft.system_prompt ?? ''}
          error={wrong('system_prompt')}
          onChange={(text) => change({ system_prompt: text || null })}
        />
      ) : (
        <>
          {chosen?.variables.map((name) => (
            <TextField
              key={name}
              label={name}
              value={draft.prompt_variables[name] ?? ''}
              error={wrong(`prompt_variables.${name}`) ?? wrong('prompt_variables')}
              onChange={(value) => change({ prompt_variables: { ...draft.prompt_variables, [name]: value } })}
            />
          ))}
          {chosen && (
            <p className="small">
              <Link to={`/prompts/${chosen.id}`}>Open the template “{chosen.name}”</Link>
            </p>
          )}
        </>
      )}
    </>
  )
}
