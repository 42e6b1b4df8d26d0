import { Badge } from '../../ui/page.tsx'
import type { Webhook } from './events.ts'

export const WebhookStatus = ({ webhook: { enabled, failing_since: failing } }: { webhook: Webhook }) =>
  enabled ? failing ? <Badge tone="warn">failing</Badge> : <Badge tone="good">enabled</Badge> : <Badge>disabled</Badge>
