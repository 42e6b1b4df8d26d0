import { Badge } from '../../ui/page.tsx'
import type { Schedule } from './draft.ts'

export const ScheduleStatus = ({ schedule: { enabled, disabled_reason: reason } }: { schedule: Schedule }) =>
  enabled ? <Badge tone="good">enabled</Badge> : reason ? <Badge tone="bad">paused</Badge> : <Badge>disabled</Badge>
