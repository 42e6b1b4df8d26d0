import { Secret } from '../../parts/secret.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { curlCommand } from './curl.ts'
import type { Trigger } from './draft.ts'

interface SecretProps {
  trigger: Trigger
  secret: string
  onDone: () => void
}

/** The secret of a trigger, shown once, with a command to try it. */
export const TriggerSecret = ({ trigger, secret, onDone }: SecretProps) => (
  <Secret secret={secret} onDone={onDone}>
    <p className="muted small">Senders sign with it, as Standard Webhooks describes. Try it in a terminal:</p>
    <CodeBlock label="curl" text={curlCommand(trigger, secret)} />
  </Secret>
)
