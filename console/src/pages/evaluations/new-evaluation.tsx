import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { TargetFields, type TargetType, useTargets } from './target.tsx'

export function NewEvaluation({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const targets = useTargets()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<{ type: TargetType; target_id: string } | null>(null)
  const [input, setInput] = useState('')
  const [expected, setExpected] = useState('')
  const { type, target_id: target } = chosen ?? { type: 'agent', target_id: targets('agent')[0]?.value ?? '' }
  const create = useSave({
    touches: ['evaluations'],
    run: () =>
      parley.evaluations.create({
        name,
        type,
        target_id: target,
        test_cases: [{ input, expected_output: expected || null }],
        scorers: [{ type: 'similarity' }],
      }),
    done: ({ name: made }) => `${made} was created`,
    onDone: ({ id }) => void navigate({ to: `/evaluations/${id}`, search: { tab: 'cases' } as never }),
  })
  const wrong = fieldErrors(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined)
  }
  const isComplete = name.trim() !== '' && target !== '' && input.trim() !== ''
  return (
    <Dialog
      open
      onOpenChange={(is) => !is && onClose()}
      title="New evaluation"
      description="With a first case; more are added or imported next."
    >
      <form className="stack" onSubmit={submit}>
        <TextField label="Name" value={name} onChange={setName} placeholder="Support answers" error={wrong('name')} />
        <TargetFields type={type} target={target} onChange={setChosen} wrong={wrong} />
        <TextArea
          label="First question"
          rows={2}
          value={input}
          onChange={setInput}
          placeholder="How long does delivery take?"
          error={wrong('test_cases')}
        />
        <TextArea
          label="Expected answer"
          hint="What the answer is compared with, by meaning unless you choose another scorer."
          rows={2}
          value={expected}
          onChange={setExpected}
          placeholder="Three to five working days."
        />
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={!isComplete}>
            Create evaluation
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
