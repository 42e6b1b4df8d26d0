import { Secret } from '../../parts/secret.tsx'
import { CodeBlock } from '../../ui/code.tsx'

const example = `import { verifyWebhook } from '@parley/client'

const event = await verifyWebhook({ body, headers, secret: process.env.WEBHOOK_SECRET })`

/** The signing secret of a webhook, shown once. */
export const WebhookSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <Secret secret={secret} onDone={onDone}>
    <p className="muted small">Use it to verify that events come from Parley:</p>
    <CodeBlock label="Example" text={example} />
  </Secret>
)
