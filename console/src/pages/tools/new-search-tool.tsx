import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
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
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [chosen, setChosen] = useState<string[]>(search.source ? [search.source] : [])
  const ids = kind === 'rag' && chosen.length === 0 && sources?.[0] ? [sources[0].id] : chosen
  const create = useSave({
    touches: ['tools', 'rag-tools', 'retrieval-tools', 'status'],
    run: (): Promise<{ id: string; name: string }> => {
      const common = { name, description: description || null }
      return kind === 'rag'
        ? parley.ragTools.create({ ...common, knowledge_source_id: ids[0] ?? '' })
        : parley.retrievalTools.create({ ...common, knowledge_source_ids: ids })
    },
    done: ({ name: made }) => `${made} is there. Try it, then give it to an agent.`,
    onDone: ({ id }) => void navigate({ to: `/tools/${kind}/${id}` }),
  })
  const wrong = fieldErrors(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined)
  }
  return (
    <Dialog
      open
      onOpenChange={(is) => !is && onClose()}
      title={`New ${kinds[kind].label} tool`}
      description={kinds[kind].text}
    >
      {sources?.length === 0 ? (
        <p className="notice">
          <span>
            There is nothing to search yet. <Link to="/knowledge?new=yes">Make a knowledge source</Link> first.
          </span>
        </p>
      ) : (
        <form className="stack" onSubmit={submit}>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            placeholder="Handbook"
            error={wrong('name')}
            required
          />
          <TextArea
            label="Description"
            hint="Tells the model what is in there and when to look."
            rows={2}
            value={description}
            onChange={setDescription}
            error={wrong('description')}
          />
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
          <div className="dialog-foot">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              variant="primary"
              busy={create.isPending}
              disabled={name.trim() === '' || ids.length === 0}
            >
              Create tool
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
