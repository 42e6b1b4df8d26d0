import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { optionsOf } from '../../ui/distinct.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import type { AgentDraftProps } from './draft.ts'

/** The system prompt: custom text, or a template with values. */
export function Instructions({ draft, change, errorAt }: AgentDraftProps) {
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
          label="Source"
          value={draft.prompt_template_id ?? ''}
          error={errorAt('prompt_template_id')}
          onChange={(id) =>
            change(
              id ? { prompt_template_id: id, system_prompt: null } : { prompt_template_id: null, prompt_variables: {} },
            )
          }
          options={[
            { value: '', label: 'Custom prompt' },
            ...optionsOf(templates.data ?? []).map(({ value, label }) => ({ value, label: `Template: ${label}` })),
          ]}
        />
      )}
      {draft.prompt_template_id === null ? (
        <TextArea
          label="System prompt"
          hint="Sent to the model at the start of every conversation."
          rows={10}
          mono
          value={draft.system_prompt ?? ''}
          error={errorAt('system_prompt')}
          onChange={(text) => change({ system_prompt: text || null })}
        />
      ) : (
        <>
          {chosen?.variables.map((name) => (
            <TextField
              key={name}
              label={name}
              value={draft.prompt_variables[name] ?? ''}
              error={errorAt(`prompt_variables.${name}`) ?? errorAt('prompt_variables')}
              onChange={(value) => change({ prompt_variables: { ...draft.prompt_variables, [name]: value } })}
            />
          ))}
          {chosen && (
            <p className="small">
              <Link to={`/prompts/${chosen.id}`}>Open template “{chosen.name}”</Link>
            </p>
          )}
        </>
      )}
    </>
  )
}
