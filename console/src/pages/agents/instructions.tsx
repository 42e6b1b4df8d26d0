import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import type { AgentFields } from './draft.ts'

/** The system prompt: custom text, or a template with values. */
export function Instructions({ form }: AgentFields) {
  const { prompt_template_id: templateId } = form.draft
  const variables = form.part('prompt_variables')
  const templates = useQuery({
    queryKey: ['prompt-templates', 'all'],
    queryFn: ({ signal }) =>
      parley.promptTemplates.list({ limit: 100, sort: 'name', order: 'asc' }, { signal }).all(300),
    staleTime: 60_000,
  })
  const chosen = templates.data?.find(({ id }) => id === templateId)
  return (
    <>
      {(templates.data?.length ?? 0) > 0 && (
        <SelectField
          label="Source"
          {...form.field('prompt_template_id', null)}
          onChange={(id) =>
            form.change(
              id ? { prompt_template_id: id, system_prompt: null } : { prompt_template_id: null, prompt_variables: {} },
            )
          }
          options={[
            { value: '', label: 'Custom prompt' },
            ...toOptions(templates.data ?? []).map(({ value, label }) => ({ value, label: `Template: ${label}` })),
          ]}
        />
      )}
      {templateId === null ? (
        <TextArea
          label="System prompt"
          hint="Sent to the model at the start of every conversation."
          rows={10}
          mono
          {...form.field('system_prompt', null)}
        />
      ) : (
        <>
          {chosen?.variables.map((name) => (
            <TextField
              key={name}
              label={name}
              {...variables.field(name)}
              error={variables.errorAt(name) ?? variables.error}
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
