import { Badge } from '../../ui/page.tsx'
import type { Trigger } from './draft.ts'

export const TriggerStatus = ({ trigger: { enabled } }: { trigger: Trigger }) =>
  enabled ? <Badge tone="good">enabled</Badge> : <Badge>disabled</Badge>
