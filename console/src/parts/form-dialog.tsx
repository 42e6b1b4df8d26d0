import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { fieldErrors } from '../ui/errors.ts'

interface FormDialogProps {
  title: string
  description?: string
  wide?: boolean
  /** Runs when the form is submitted. */
  save: { isPending: boolean; error: unknown; mutate: (body: undefined) => void }
  /** Label of the submit button. */
  action: string
  isComplete: boolean
  onClose: () => void
  /** Shown instead of the form, such as the result. */
  instead?: ReactNode
  /** Renders the fields; gets the validation error of each. */
  children: (errorAt: (path: string) => string | undefined) => ReactNode
}

/** A dialog with one form. */
export function FormDialog({ save, action, isComplete, onClose, instead, children, ...dialog }: FormDialogProps) {
  return (
    <Dialog open onOpenChange={(is) => !is && onClose()} {...dialog}>
      {instead || (
        <form
          className="stack"
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate(undefined)
          }}
        >
          {children(fieldErrors(save.error))}
          <div className="dialog-foot">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="primary" busy={save.isPending} disabled={!isComplete}>
              {action}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
