import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactElement, useState } from 'react'
import { Button } from './button.tsx'

interface ConfirmProps {
  /** What opens it. */
  trigger: ReactElement<Record<string, unknown>>
  title: string
  text: string
  action: string
  onConfirm: () => Promise<unknown>
}

/** Asks before something that cannot be taken back. */
export function Confirm({ trigger, title, text, action, onConfirm }: ConfirmProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
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
    <AlertDialog.Root open={open} onOpenChange={setOpen}>
      <AlertDialog.Trigger render={trigger} />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog narrow">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description>{text}</AlertDialog.Description>
          <div className="dialog-foot">
            <AlertDialog.Close render={<Button>Keep it</Button>} />
            <Button variant="danger" busy={busy} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
