import type { Schemas } from '@parley/client'
import { useNavigate } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { isOver, JobStatus, Receipt, type UserJob, useJob } from './job.tsx'

interface EraseProps {
  user: Schemas['User']
  onClose: () => void
}

/** Asks for the user ID, then shows the progress and the receipt. */
export function EraseDialog({ user, onClose }: EraseProps) {
  const navigate = useNavigate()
  const form = useForm({
    saved: { typed: '' },
    invalidates: ['user-jobs'],
    run: () => parley.users.erase(user.id),
  })
  const job = useJob(form.save.data?.id)
  const shown = job.data ?? form.save.data
  const close = () => {
    if (!shown) return onClose()
    void queries.invalidateQueries()
    void navigate({ to: '/people' })
  }
  return (
    <FormDialog
      title={shown ? 'Erasing' : 'Erase everything of this person?'}
      description={
        shown
          ? undefined
          : 'Deletes their conversations, files, feedback, tokens and sessions. Usage and audit entries stay, without their name. This cannot be undone.'
      }
      form={form}
      action="Erase this person"
      isDangerous
      isComplete={form.draft.typed === user.user_id}
      onClose={close}
      instead={shown && <Progress job={shown} onDone={close} />}
    >
      <TextField label={`Type ${user.user_id} to confirm`} {...form.field('typed')} />
    </FormDialog>
  )
}

const Progress = ({ job, onDone }: { job: UserJob; onDone: () => void }) => (
  <div className="stack">
    <JobStatus status={job.status} />
    {job.error && <p className="notice bad">{job.error}</p>}
    {isOver(job) ? <Receipt job={job} /> : <p className="muted">You can close this. The job goes on.</p>}
    <div className="dialog-foot">
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
)
