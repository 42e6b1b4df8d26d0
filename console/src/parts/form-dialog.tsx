import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

interface FormDialogProps {
  title: string
  description?: string | undefined
  wide?: boolean
  form: { isValid: boolean; save: { isPending: boolean }; submit: () => void }
  /** Label of the submit button. */
  action: string
  isDangerous?: boolean
  isComplete?: boolean
  onClose: () => void
  /** Shown instead of the form, such as the result. */
  instead?: ReactNode
  children: ReactNode
}

/** A dialog with one form. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, wide, form, action, isDangerous, isComplete = true, onClose, instead, children } = props
  return (
    <Dialog open onOpenChange={(is) => !is && onClose()} title={title} description={description} wide={wide}>
      {instead || (
        <form
          className="stack"
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault()
            form.submit()
          }}
        >
          {children}
          <div className="dialog-foot">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              variant={isDangerous ? 'danger' : 'primary'}
              busy={form.save.isPending}
              disabled={!isComplete || !form.isValid}
            >
              {action}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
