import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactElement, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { catchFocus } from './focus.ts'

interface AskProps {
  open: boolean
  title: string
  text: string
  /** What the way out says. */
  stay: string
  action: string
  busy?: boolean
  onStay: () => void
  onConfirm: () => void
  /** What opens it, where that is not something else. */
  trigger?: ReactElement<Record<string, unknown>>
  onOpen?: () => void
}

/** A question over the page that must be answered. */
export const Ask = ({ open, title, text, stay, action, busy = false, trigger, ...on }: AskProps) => (
  <AlertDialog.Root open={open} onOpenChange={(is) => (is ? on.onOpen?.() : on.onStay())}>
    {trigger && <AlertDialog.Trigger render={trigger} />}
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className="backdrop" />
      <AlertDialog.Popup className="dialog narrow">
        <AlertDialog.Title>{title}</AlertDialog.Title>
        <AlertDialog.Description>{text}</AlertDialog.Description>
        <div className="dialog-foot">
          <AlertDialog.Close render={<Button>{stay}</Button>} />
          <Button variant="danger" busy={busy} onClick={on.onConfirm}>
            {action}
          </Button>
        </div>
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  </AlertDialog.Root>
)

interface ConfirmProps {
  /** What opens it. */
  trigger: ReactElement<Record<string, unknown>>
  title: string
  text: string
  action: string
  onConfirm: () => Promise<unknown>
}

/** Asks before something that cannot be taken back. */
export function Confirm({ onConfirm, ...question }: ConfirmProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  // It may go with what it was asked about: a row of a list that was deleted.
  useEffect(() => {
    if (open) return catchFocus
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
    <Ask
      {...question}
      open={open}
      stay="Keep it"
      busy={busy}
      onOpen={() => setOpen(true)}
      onStay={() => setOpen(false)}
      onConfirm={() => void confirm()}
    />
  )
}
