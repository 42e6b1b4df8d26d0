import type { Schemas } from '@parley/client'
import type { ComponentProps, ReactNode } from 'react'
import type { Form } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { dateTime } from '../../ui/format.ts'

interface LinkDialogProps<Draft> extends Pick<ComponentProps<typeof FormDialog>, 'title' | 'description' | 'children'> {
  form: Form<Draft, Pick<Schemas['CreatedInvitation'], 'link' | 'expires_at'>>
  /** The title once the link exists. */
  readyTitle: string
  label: string
  warning: (ends: string) => string
  /** Shown below the link. */
  status?: ReactNode
  onClose: () => void
}

/** A dialog that creates an invitation, then shows its link once. */
export function LinkDialog<Draft>({ readyTitle, label, warning, status, ...dialog }: LinkDialogProps<Draft>) {
  const created = dialog.form.save.data
  return (
    <FormDialog
      {...dialog}
      {...(created && { title: readyTitle, description: undefined })}
      action="Create link"
      instead={
        created && (
          <ShownOnce
            label={label}
            warning={warning(dateTime(created.expires_at))}
            text={created.link}
            onDone={dialog.onClose}
          >
            {status}
          </ShownOnce>
        )
      }
    />
  )
}
