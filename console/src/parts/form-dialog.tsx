import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { fieldErrors } from '../ui/errors.ts'

interface FormDialogProps {
  title: string
  description?: string
  wide?: boolean
  /** What happens when the form is sent. */
  save: { isPending: boolean; error: unknown; mutate: (body: undefined) => void }
  /** What the button says. */
  action: string
  isComplete: boolean
  onClose: () => void
  /** Shown in place of the form, such as what came of it. */
  instead?: ReactNode
  /** The fields, with what the service found wrong with each. */
  children: (wrong: (path: string) => string | undefined) => ReactNode
}

/** A form over the page that does one thing. */
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
