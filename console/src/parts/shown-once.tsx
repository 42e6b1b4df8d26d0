import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code.tsx'

interface ShownOnceProps {
  /** The name of the text for assistive technology. */
  label: string
  warning: ReactNode
  text: string
  onDone: () => void
  /** How to use it. */
  children?: ReactNode
}

/** A secret that the service shows only once. */
export const ShownOnce = ({ label, warning, text, onDone, children }: ShownOnceProps) => (
  <div className="stack">
    <p className="notice warn">
      <KeyRound aria-hidden size={16} />
      <span>{warning}</span>
    </p>
    <CodeBlock label={label} text={text} />
    {children}
    <div className="dialog-foot">
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
)
