import { Badge } from '../../ui/page.tsx'
import type { Webhook } from './events.ts'

export const State = ({ webhook: { enabled, failing_since: failing } }: { webhook: Webhook }) =>
  enabled ? failing ? <Badge tone="warn">failing</Badge> : <Badge tone="good">on</Badge> : <Badge>off</Badge>
