import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { ToolNameFields } from '../../parts/draft-fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { optionsOf } from '../../ui/distinct.ts'
import { SelectField } from '../../ui/field.tsx'
import { useListParams } from '../../ui/list.tsx'
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
  const [draft, setDraft] = useState<{ name: string; description: string | null }>({ name: '', description: null })
  const [chosen, setChosen] = useState<string[]>(search.source ? [search.source] : [])
  const ids = kind === 'rag' && chosen.length === 0 && sources?.[0] ? [sources[0].id] : chosen
  const create = useSave({
    invalidates: ['tools', 'rag-tools', 'retrieval-tools', 'status'],
    run: (): Promise<{ id: string; name: string }> =>
      kind === 'rag'
        ? parley.ragTools.create({ ...draft, knowledge_source_id: ids[0] ?? '' })
        : parley.retrievalTools.create({ ...draft, knowledge_source_ids: ids }),
    toast: ({ name: made }) => `${made} created. Try it, then add it to an agent.`,
    onDone: ({ id }) => void navigate({ to: `/tools/${kind}/${id}` }),
  })
  return (
    <FormDialog
      title={`New ${toolTypes[kind].label} tool`}
      description={toolTypes[kind].text}
      save={create}
      action="Create tool"
      isComplete={draft.name.trim() !== '' && ids.length > 0}
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
      {(errorAt) => (
        <>
          <ToolNameFields draft={draft} change={(next) => setDraft({ ...draft, ...next })} errorAt={errorAt} />
          {kind === 'rag' ? (
            <SelectField
              label="Knowledge source"
              value={ids[0] ?? ''}
              error={errorAt('knowledge_source_id')}
              onChange={(id) => setChosen([id])}
              options={optionsOf(sources ?? [])}
            />
          ) : (
            <SourcesField value={ids} onChange={setChosen} error={errorAt('knowledge_source_ids')} />
          )}
        </>
      )}
    </FormDialog>
  )
}
