import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from './button.tsx'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  /** Without heading and padding: the title is only told to those who cannot see. */
  bare?: boolean
  wide?: boolean
  children: ReactNode
}

export function Dialog({ open, onOpenChange, title, description, bare, wide, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  // Typing starts in the first field, not on the way out.
  const firstField = () => popup.current?.querySelector<HTMLElement>('input, textarea, select') ?? true
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          initialFocus={firstField}
          className={`dialog${bare ? ' bare' : ''}${wide ? ' wide' : ''}`}
        >
          {bare ? (
            <Base.Title className="unseen">{title}</Base.Title>
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

/** From the side: the navigation of a narrow screen, and details beside a list. */
export const Drawer = ({
  open,
  onOpenChange,
  title,
  side = 'left',
  children,
}: Omit<DialogProps, 'bare' | 'wide'> & { side?: 'left' | 'right' }) => (
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
