import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { ConfigurationFields, tidied } from './configuration.tsx'
import { type Configuration, type Kind, kinds } from './kinds.ts'

const first: Record<Kind, Configuration> = {
  file: {},
  text: { documents: [{ title: '', content: '' }] },
  web: {},
  directory: {},
}

/** Web sites and folders are only read when asked; whoever makes one wants that. */
const isReadWhenAsked = (type: Kind): boolean => type === 'web' || type === 'directory'

export function NewSource({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [type, setType] = useState<Kind>('file')
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [configuration, setConfiguration] = useState(first.file)
  const create = useSave({
    touches: ['knowledge-sources', 'status'],
    run: async () => {
      const made = await parley.knowledgeSources.create({
        name,
        type,
        description: description || null,
        configuration: tidied(configuration),
      })
      if (isReadWhenAsked(type)) await parley.knowledgeSources.sync(made.id)
      return made
    },
    done: ({ name: made }) => (type === 'file' ? `${made} is ready for files` : `${made} is being read`),
    onDone: ({ id }) => void navigate({ to: `/knowledge/${id}` }),
  })
  return (
    <FormDialog
      wide
      title="New source"
      description="Where do the documents come from? The kind cannot be changed later, everything else can."
      save={create}
      action="Create source"
      isComplete={name.trim() !== ''}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <fieldset className="cards">
            <legend className="unseen">Kind</legend>
            {Object.entries(kinds).map(([value, { label, icon: Icon, text }]) => (
              <label key={value} className="choice-card">
                <input
                  type="radio"
                  name="kind"
                  value={value}
                  checked={type === value}
                  onChange={() => {
                    setType(value as Kind)
                    setConfiguration(first[value as Kind])
                  }}
                />
                <Icon aria-hidden size={18} />
                <strong>{label}</strong>
                <span className="muted small">{text}</span>
              </label>
            ))}
          </fieldset>
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
            rows={2}
            value={description}
            onChange={setDescription}
            error={wrong('description')}
          />
          <ConfigurationFields key={type} type={type} value={configuration} onChange={setConfiguration} wrong={wrong} />
        </>
      )}
    </FormDialog>
  )
}
