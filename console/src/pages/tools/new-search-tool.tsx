import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { ToolNameFields } from '../../parts/draft-fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useListAddress } from '../../ui/list.tsx'
import { kinds } from './kinds.ts'
import { SourcesField } from './sources-field.tsx'

interface NewProps {
  kind: 'rag' | 'retrieval'
  onClose: () => void
}

/** Only what must be said; everything else has a usual value and stands in the editor. */
export function NewSearchTool({ kind, onClose }: NewProps) {
  const navigate = useNavigate()
  const sources = useSources().data
  const { search } = useListAddress()
  const [draft, setDraft] = useState<{ name: string; description: string | null }>({ name: '', description: null })
  const [chosen, setChosen] = useState<string[]>(search.source ? [search.source] : [])
  const ids = kind === 'rag' && chosen.length === 0 && sources?.[0] ? [sources[0].id] : chosen
  const create = useSave({
    touches: ['tools', 'rag-tools', 'retrieval-tools', 'status'],
    run: (): Promise<{ id: string; name: string }> =>
      kind === 'rag'
        ? parley.ragTools.create({ ...draft, knowledge_source_id: ids[0] ?? '' })
        : parley.retrievalTools.create({ ...draft, knowledge_source_ids: ids }),
    done: ({ name: made }) => `${made} is there. Try it, then give it to an agent.`,
    onDone: ({ id }) => void navigate({ to: `/tools/${kind}/${id}` }),
  })
  return (
    <FormDialog
      title={`New ${kinds[kind].label} tool`}
      description={kinds[kind].text}
      save={create}
      action="Create tool"
      isComplete={draft.name.trim() !== '' && ids.length > 0}
      onClose={onClose}
      instead={
        sources?.length === 0 && (
          <p className="notice">
            <span>
              There is nothing to search yet. <Link to="/knowledge?new=yes">Make a knowledge source</Link> first.
            </span>
          </p>
        )
      }
    >
      {(wrong) => (
        <>
          <ToolNameFields draft={draft} change={(next) => setDraft({ ...draft, ...next })} wrong={wrong} />
          {kind === 'rag' ? (
            <SelectField
              label="Knowledge source"
              value={ids[0] ?? ''}
              error={wrong('knowledge_source_id')}
              onChange={(id) => setChosen([id])}
              options={(sources ?? []).map(({ id, name: label }) => ({ value: id, label }))}
            />
          ) : (
            <SourcesField value={ids} onChange={setChosen} error={wrong('knowledge_source_ids')} />
          )}
        </>
      )}
    </FormDialog>
  )
}
