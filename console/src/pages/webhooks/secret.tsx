import { KeyRound } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'

/** The signing secret, shown once. */
export const Secret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <div className="stack">
    <p className="notice warn">
      <KeyRound aria-hidden size={16} />
      <span>Copy the secret now. It cannot be shown again.</span>
    </p>
    <CodeBlock label="Signing secret" text={secret} />
    <p className="muted small">Use it to verify that events come from Parley:</p>
    <CodeBlock
      label="Example"
      text={`import { verifyWebhook } from '@parley/client'\n\nconst event = await verifyWebhook({ body, headers, secret: process.env.WEBHOOK_SECRET })`}
    />
    <div className="dialog-foot">
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
)
