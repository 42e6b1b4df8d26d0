import type { Schemas } from '@parley/client'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { isOver, JobStatus, Receipt, useJob } from './job.tsx'

interface EraseProps {
  user: Schemas['User']
  onClose: () => void
}

/** Asks for the user ID, then shows the progress and the receipt. */
export function EraseDialog({ user, onClose }: EraseProps) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const erase = useSave({ invalidates: ['user-jobs'], run: () => parley.users.erase(user.id) })
  const job = useJob(erase.data?.id)
  const shown = job.data ?? erase.data
  const close = () => {
    if (!shown) return onClose()
    void queries.invalidateQueries()
    void navigate({ to: '/people' })
  }
  return (
    <Dialog
      open
      onOpenChange={(is) => !is && close()}
      title={shown ? 'Erasing' : 'Erase everything of this person?'}
      {...(!shown && {
        description:
          'Deletes their conversations, files, feedback, tokens and sessions. Usage and audit entries stay, without their name. This cannot be undone.',
      })}
    >
      {shown ? (
        <div className="stack">
          <JobStatus status={shown.status} />
          {shown.error && <p className="notice bad">{shown.error}</p>}
          {isOver(shown) ? <Receipt job={shown} /> : <p className="muted">You can close this. The job goes on.</p>}
          <div className="dialog-foot">
            <Button variant="primary" onClick={close}>
              Done
            </Button>
          </div>
        </div>
      ) : (
        <form
          className="stack"
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault()
            erase.mutate(undefined)
          }}
        >
          <TextField label={`Type ${user.user_id} to confirm`} value={typed} onChange={setTyped} />
          <div className="dialog-foot">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="danger" busy={erase.isPending} disabled={typed !== user.user_id}>
              Erase this person
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
