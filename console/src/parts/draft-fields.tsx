import type { ComponentProps } from 'react'
import { NumberField, TextArea, TextField } from '../ui/field.tsx'

/** Props of one part of an editor: the draft, a setter, and the validation error of a field. */
export interface DraftProps<Draft> {
  draft: Draft
  change: (next: Partial<Draft>) => void
  errorAt: (path: string) => string | undefined
}

interface DraftNumberProps<Draft> extends Omit<ComponentProps<typeof NumberField>, 'value' | 'onChange' | 'error'> {
  part: DraftProps<Draft>
  name: keyof Draft & string
  /** The value of an empty field. */
  empty?: number
}

/** A number field bound to a field of the draft. */
export const DraftNumber = <Draft,>({ part, name, empty, ...rest }: DraftNumberProps<Draft>) => (
  <NumberField
    {...rest}
    value={part.draft[name] as number | null}
    error={part.errorAt(name)}
    onChange={(value) => part.change({ [name]: value ?? empty ?? null } as Partial<Draft>)}
  />
)

/** The name and description of a search tool. */
export const ToolNameFields = ({
  draft,
  change,
  errorAt,
}: DraftProps<{ name: string; description: string | null }>) => (
  <>
    <TextField
      label="Name"
      value={draft.name}
      placeholder="Handbook"
      error={errorAt('name')}
      onChange={(name) => change({ name })}
      required
    />
    <TextArea
      label="Description"
      hint="Tells the model what this tool contains and when to use it."
      rows={2}
      value={draft.description ?? ''}
      error={errorAt('description')}
      onChange={(text) => change({ description: text || null })}
    />
  </>
)
