import type { Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { useMay } from '../api/permissions.ts'
import { Badge, type Tone } from '../ui/page.tsx'
import { toTarget } from '../ui/target.ts'
import { duration } from '../ui/time-text.ts'

type Run = Schemas['AutomationRun']

const tones: Record<Run['status'], Tone> = {
  queued: 'plain',
  running: 'accent',
  awaiting_approval: 'warn',
  succeeded: 'good',
  failed: 'bad',
  skipped: 'plain',
}

const waiting = { approval: 'waits for approval', connection: 'waits for an account', input: 'waits for an answer' }

/** Whether a run of a schedule or trigger has not ended. */
export const isActive = ({ finished_at: at }: Run): boolean => at === null

export const RunStatus = ({
  run: { status, waiting_for: waits, error },
  withError,
}: {
  run: Run
  withError?: boolean
}) => (
  <>
    <Badge tone={tones[status]}>{status === 'awaiting_approval' ? waiting[waits ?? 'approval'] : status}</Badge>
    {withError && error && <span className="muted small two-lines">{error}</span>}
  </>
)

export const RunDuration = ({ run: { started_at: from, finished_at: to } }: { run: Run }) =>
  from && to ? duration(from, to) : '–'

interface ResultProps {
  run: Run
  action?: Schemas['Schedule']['action']
}

/** The link to what a run has made. */
export function RunResult({ run, action }: ResultProps) {
  const may = useMay()
  const link = resultLink(run, action)
  if (!link || (run.conversation_id !== null && !may('converse'))) return '–'
  return <Link {...toTarget(link.path)}>{link.label}</Link>
}

function resultLink(run: Run, action: ResultProps['action']): { path: string; label: string } | null {
  if (run.conversation_id)
    return {
      path: `/conversations/${run.conversation_id}${run.message_id ? `?message=${run.message_id}` : ''}`,
      label: 'Conversation',
    }
  if (run.evaluation_run_id && action?.evaluation_id)
    return { path: `/evaluations/${action.evaluation_id}?run=${run.evaluation_run_id}`, label: 'Results' }
  if (run.sync_id && action?.knowledge_source_id)
    return { path: `/knowledge/${action.knowledge_source_id}?tab=syncs`, label: 'Sync' }
  return null
}
