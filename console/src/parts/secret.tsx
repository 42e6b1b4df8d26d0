import type { ReactNode } from 'react'
import { ShownOnce } from './shown-once.tsx'

interface SecretProps {
  secret: string
  onDone: () => void
  /** How to use it. */
  children: ReactNode
}

/** A signing secret, shown once. */
export const Secret = ({ secret, onDone, children }: SecretProps) => (
  <ShownOnce
    label="Signing secret"
    warning="Copy the secret now. It cannot be shown again."
    text={secret}
    onDone={onDone}
  >
    {children}
  </ShownOnce>
)
