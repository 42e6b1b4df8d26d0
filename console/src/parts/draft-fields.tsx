import type { ComponentProps } from 'react'
import { NumberField, TextArea, TextField } from '../ui/field.tsx'

/** A part of an editor: what is being written, how to change it, and what the service found wrong with it. */
export interface PartProps<Draft> {
  draft: Draft
  change: (next: Partial<Draft>) => void
  wrong: (path: string) => string | undefined
}

interface DraftNumberProps<Draft> extends Omit<ComponentProps<typeof NumberField>, 'value' | 'onChange' | 'error'> {
  part: PartProps<Draft>
  name: keyof Draft & string
  /** What stands for an empty field. */
  empty?: number
}

/** A number of a draft, by its name there. */
export const DraftNumber = <Draft,>({ part, name, empty, ...rest }: DraftNumberProps<Draft>) => (
  <NumberField
    {...rest}
    value={part.draft[name] as number | null}
    error={part.wrong(name)}
    onChange={(value) => part.change({ [name]: value ?? empty ?? null } as Partial<Draft>)}
  />
)

/** The name of a tool, and what tells the model when to use it. */
export const ToolNameFields = ({ draft, change, wrong }: PartProps<{ name: string; description: string | null }>) => (
  <>
    <TextField
      label="Name"
      value={draft.name}
      placeholder="Handbook"
      error={wrong('name')}
      onChange={(name) => change({ name })}
      required
    />
    <TextArea
      label="Description"
      hint="Tells the model what is in there and when to look."
      rows={2}
      value={draft.description ?? ''}
      error={wrong('description')}
      onChange={(text) => change({ description: text || null })}
    />
  </>
)
