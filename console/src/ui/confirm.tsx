import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactElement, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { recoverFocus } from './focus.ts'

interface ConfirmDialogProps {
  open: boolean
  title: string
  text: string
  /** Label of the cancel button. */
  cancelLabel: string
  action: string
  busy?: boolean
  onCancel: () => void
  onConfirm: () => void
  /** The element that opens it, if any. */
  trigger?: ReactElement<Record<string, unknown>>
  onOpen?: () => void
}

/** An alert dialog with a cancel and a confirm button. */
export const ConfirmDialog = ({
  open,
  title,
  text,
  cancelLabel,
  action,
  busy = false,
  trigger,
  ...on
}: ConfirmDialogProps) => (
  <AlertDialog.Root open={open} onOpenChange={(is) => (is ? on.onOpen?.() : on.onCancel())}>
    {trigger && <AlertDialog.Trigger render={trigger} />}
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className="backdrop" />
      <AlertDialog.Popup className="dialog narrow">
        <AlertDialog.Title>{title}</AlertDialog.Title>
        <AlertDialog.Description>{text}</AlertDialog.Description>
        <div className="dialog-foot">
          <AlertDialog.Close render={<Button>{cancelLabel}</Button>} />
          <Button variant="danger" busy={busy} onClick={on.onConfirm}>
            {action}
          </Button>
        </div>
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  </AlertDialog.Root>
)

interface ConfirmProps {
  /** The element that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  title: string
  text: string
  action: string
  onConfirm: () => Promise<unknown>
}

/** Asks before an action that cannot be undone. */
export function Confirm({ onConfirm, ...question }: ConfirmProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  // The dialog can unmount with the deleted row that contains it.
  useEffect(() => {
    if (open) return recoverFocus
  }, [open])
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } finally {
      setBusy(false)
      setOpen(false)
    }
  }
  return (
    <ConfirmDialog
      {...question}
      open={open}
      cancelLabel="Cancel"
      busy={busy}
      onOpen={() => setOpen(true)}
      onCancel={() => setOpen(false)}
      onConfirm={() => void confirm()}
    />
  )
}
