import { useNavigate } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { ConfigurationFields } from './configuration.tsx'
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
  const form = useForm({
    saved: {
      name: '',
      type: 'file' as SourceType,
      description: null as string | null,
      configuration: initialConfiguration.file,
    },
    invalidates: ['knowledge-sources', 'status'],
    run: async (draft) => {
      const made = await parley.knowledgeSources.create(draft)
      if (needsSync(made.type)) await parley.knowledgeSources.sync(made.id)
      return made
    },
    toast: ({ name, type }) =>
      type === 'file' ? `${name} created. Upload files next.` : `${name} created. Sync started.`,
    onDone: ({ id }) => void navigate({ to: `/knowledge/${id}` }),
  })
  const { name, type } = form.draft
  return (
    <FormDialog
      wide
      title="New source"
      description="Choose where the documents come from. You cannot change the type later."
      form={form}
      action="Create source"
      isComplete={name.trim() !== ''}
      onClose={onClose}
    >
      <fieldset className="cards">
        <legend className="visually-hidden">Type</legend>
        {(Object.keys(sourceTypes) as SourceType[]).map((value) => {
          const { label, icon: Icon, text } = sourceTypes[value]
          return (
            <label key={value} className="choice-card">
              <input
                type="radio"
                name="kind"
                value={value}
                checked={type === value}
                onChange={() => form.change({ type: value, configuration: initialConfiguration[value] })}
              />
              <Icon aria-hidden size={18} />
              <strong>{label}</strong>
              <span className="muted small">{text}</span>
            </label>
          )
        })}
      </fieldset>
      <TextField label="Name" placeholder="Handbook" required {...form.field('name')} />
      <TextArea label="Description" rows={2} {...form.field('description', null)} />
      <ConfigurationFields key={type} type={type} form={form} />
    </FormDialog>
  )
}
