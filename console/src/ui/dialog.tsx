import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from './button.tsx'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string | undefined
  /** No heading or padding; the title is for screen readers only. */
  bare?: boolean
  wide?: boolean | undefined
  /** Fills the window. */
  full?: boolean
  children: ReactNode
}

export function Dialog({ open, onOpenChange, title, description, bare, wide, full, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  // Focus the field that the dialog was opened for, or else the first one, not the close button.
  const firstField = () =>
    popup.current?.querySelector<HTMLElement>('[data-focus-first]') ??
    popup.current?.querySelector<HTMLElement>('input, textarea, select') ??
    true
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          initialFocus={firstField}
          className={`dialog${bare ? ' bare' : ''}${wide ? ' wide' : ''}${full ? ' full' : ''}`}
        >
          {bare ? (
            <Base.Title className="visually-hidden">{title}</Base.Title>
          ) : (
            <header className="dialog-head">
              <div>
                <Base.Title>{title}</Base.Title>
                {description && <Base.Description>{description}</Base.Description>}
              </div>
              <Base.Close render={<IconButton icon={X} label="Close" />} />
            </header>
          )}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** A panel that slides in from the side. */
export const Drawer = ({
  open,
  onOpenChange,
  title,
  side = 'left',
  children,
}: Omit<DialogProps, 'bare' | 'wide' | 'full'> & { side?: 'left' | 'right' }) => (
  <Base.Root open={open} onOpenChange={onOpenChange}>
    <Base.Portal>
      <Base.Backdrop className="backdrop" />
      <Base.Popup className={`drawer ${side}`}>
        <header className="dialog-head">
          <Base.Title>{title}</Base.Title>
          <Base.Close render={<IconButton icon={X} label="Close" />} />
        </header>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)
