import { useNavigate } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { TargetFields, type TargetType, useTargets } from './target.tsx'

export function NewEvaluation({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const targets = useTargets()
  const form = useForm({
    saved: {
      name: '',
      type: 'agent' as TargetType,
      target_id: targets('agent')[0]?.value ?? '',
      input: '',
      expected_output: null as string | null,
    },
    invalidates: ['evaluations'],
    run: ({ input, expected_output, ...draft }) =>
      parley.evaluations.create({
        ...draft,
        test_cases: [{ input, expected_output }],
        scorers: [{ type: 'similarity' }],
      }),
    toast: ({ name }) => `${name} created`,
    onDone: ({ id }) => void navigate({ to: `/evaluations/${id}`, search: { tab: 'cases' } as never }),
  })
  const { name, target_id: target, input } = form.draft
  return (
    <FormDialog
      title="New evaluation"
      description="Start with one case. You can add or import more later."
      form={form}
      action="Create evaluation"
      isComplete={name.trim() !== '' && target !== '' && input.trim() !== ''}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Support answers" {...form.field('name')} />
      <TargetFields form={form} />
      <TextArea
        label="First question"
        rows={2}
        placeholder="How long does delivery take?"
        {...form.field('input')}
        error={form.errorAt('test_cases')}
      />
      <TextArea
        label="Expected answer"
        hint="Answers are scored by semantic similarity unless you choose another scorer."
        rows={2}
        placeholder="Three to five working days."
        {...form.field('expected_output', null)}
      />
    </FormDialog>
  )
}
