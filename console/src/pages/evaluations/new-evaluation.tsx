import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
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
    invalidates: ['evaluations'],
    run: () =>
      parley.evaluations.create({
        name,
        type,
        target_id: target,
        test_cases: [{ input, expected_output: expected || null }],
        scorers: [{ type: 'similarity' }],
      }),
    toast: ({ name: made }) => `${made} created`,
    onDone: ({ id }) => void navigate({ to: `/evaluations/${id}`, search: { tab: 'cases' } as never }),
  })
  const isComplete = name.trim() !== '' && target !== '' && input.trim() !== ''
  return (
    <FormDialog
      title="New evaluation"
      description="Start with one case. You can add or import more later."
      save={create}
      action="Create evaluation"
      isComplete={isComplete}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            placeholder="Support answers"
            error={errorAt('name')}
          />
          <TargetFields type={type} target={target} onChange={setChosen} errorAt={errorAt} />
          <TextArea
            label="First question"
            rows={2}
            value={input}
            onChange={setInput}
            placeholder="How long does delivery take?"
            error={errorAt('test_cases')}
          />
          <TextArea
            label="Expected answer"
            hint="Answers are scored by semantic similarity unless you choose another scorer."
            rows={2}
            value={expected}
            onChange={setExpected}
            placeholder="Three to five working days."
          />
        </>
      )}
    </FormDialog>
  )
}
