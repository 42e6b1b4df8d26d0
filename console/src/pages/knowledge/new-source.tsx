import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { ConfigurationFields, withTrimmedUrls } from './configuration.tsx'
import { type Configuration, type SourceType, sourceTypes } from './source-types.ts'

const initialConfiguration: Record<SourceType, Configuration> = {
  file: {},
  text: { documents: [{ title: '', content: '' }] },
  web: {},
  directory: {},
}

/** Websites and folders are only read by a sync, so creating one starts the first. */
const needsSync = (type: SourceType): boolean => type === 'web' || type === 'directory'

export function NewSource({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [type, setType] = useState<SourceType>('file')
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [configuration, setConfiguration] = useState(initialConfiguration.file)
  const create = useSave({
    invalidates: ['knowledge-sources', 'status'],
    run: async () => {
      const made = await parley.knowledgeSources.create({
        name,
        type,
        description: description || null,
        configuration: withTrimmedUrls(configuration),
      })
      if (needsSync(type)) await parley.knowledgeSources.sync(made.id)
      return made
    },
    toast: ({ name: made }) =>
      type === 'file' ? `${made} created. Upload files next.` : `${made} created. Sync started.`,
    onDone: ({ id }) => void navigate({ to: `/knowledge/${id}` }),
  })
  return (
    <FormDialog
      wide
      title="New source"
      description="Choose where the documents come from. You cannot change the type later."
      save={create}
      action="Create source"
      isComplete={name.trim() !== ''}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <fieldset className="cards">
            <legend className="visually-hidden">Type</legend>
            {Object.entries(sourceTypes).map(([value, { label, icon: Icon, text }]) => (
              <label key={value} className="choice-card">
                <input
                  type="radio"
                  name="kind"
                  value={value}
                  checked={type === value}
                  onChange={() => {
                    setType(value as SourceType)
                    setConfiguration(initialConfiguration[value as SourceType])
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
            error={errorAt('name')}
            required
          />
          <TextArea
            label="Description"
            rows={2}
            value={description}
            onChange={setDescription}
            error={errorAt('description')}
          />
          <ConfigurationFields
            key={type}
            type={type}
            value={configuration}
            onChange={setConfiguration}
            errorAt={errorAt}
          />
        </>
      )}
    </FormDialog>
  )
}
