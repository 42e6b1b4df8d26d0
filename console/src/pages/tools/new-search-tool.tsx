import { Link, useNavigate } from '@tanstack/react-router'
import { useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField } from '../../ui/field.tsx'
import { useListParams } from '../../ui/list.tsx'
import { ToolNameFields } from './search-fields.tsx'
import { SourcesField } from './sources-field.tsx'
import { toolTypes } from './tool-types.ts'

interface NewProps {
  kind: 'rag' | 'retrieval'
  onClose: () => void
}

/** Asks for the required fields only. The rest has defaults and is in the editor. */
export function NewSearchTool({ kind, onClose }: NewProps) {
  const navigate = useNavigate()
  const sources = useSources().data
  const { search } = useListParams()
  const form = useForm({
    saved: {
      name: '',
      description: null as string | null,
      knowledge_source_id: search.source ?? sources?.[0]?.id ?? '',
      knowledge_source_ids: search.source ? [search.source] : [],
    },
    invalidates: ['tools', 'rag-tools', 'retrieval-tools', 'status'],
    run: ({ knowledge_source_id, knowledge_source_ids, ...draft }): Promise<{ id: string; name: string }> =>
      kind === 'rag'
        ? parley.ragTools.create({ ...draft, knowledge_source_id })
        : parley.retrievalTools.create({ ...draft, knowledge_source_ids }),
    toast: ({ name }) => `${name} created. Try it, then add it to an agent.`,
    onDone: ({ id }) => void navigate({ to: `/tools/${kind}/${id}` }),
  })
  const { name, knowledge_source_id: one, knowledge_source_ids: several } = form.draft
  return (
    <FormDialog
      title={`New ${toolTypes[kind].label.toLowerCase()} tool`}
      description={toolTypes[kind].text}
      form={form}
      action="Create tool"
      isComplete={name.trim() !== '' && (kind === 'rag' ? one !== '' : several.length > 0)}
      onClose={onClose}
      instead={
        sources?.length === 0 && (
          <p className="notice">
            <span>
              No knowledge sources yet. <Link to="/knowledge?new=yes">Create a source</Link> first.
            </span>
          </p>
        )
      }
    >
      <ToolNameFields form={form} />
      {kind === 'rag' ? (
        <SelectField
          label="Knowledge source"
          {...form.field('knowledge_source_id')}
          options={toOptions(sources ?? [])}
        />
      ) : (
        <SourcesField {...form.field('knowledge_source_ids')} />
      )}
    </FormDialog>
  )
}
