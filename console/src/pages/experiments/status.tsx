import { Badge } from '../../ui/page.tsx'
import type { Experiment } from './metrics.ts'

export const ExperimentStatus = ({ status }: Pick<Experiment, 'status'>) => (
  <Badge tone={status === 'running' ? 'good' : 'plain'}>{status}</Badge>
)
