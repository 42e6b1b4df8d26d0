import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code.tsx'

interface SecretProps {
  secret: string
  onDone: () => void
  /** How to use it. */
  children: ReactNode
}

/** A signing secret, shown once. */
export const Secret = ({ secret, onDone, children }: SecretProps) => (
  <div className="stack">
    <p className="notice warn">
      <KeyRound aria-hidden size={16} />
      <span>Copy the secret now. It cannot be shown again.</span>
    </p>
    <CodeBlock label="Signing secret" text={secret} />
    {children}
    <div className="dialog-foot">
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
)
