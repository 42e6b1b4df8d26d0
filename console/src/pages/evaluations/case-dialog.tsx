import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import type { TestCase } from './draft.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface CaseProps {
  number: number
  testCase: TestCase | undefined
  onDone: (testCase: TestCase) => void
  onClose: () => void
}

export function CaseDialog({ number, testCase, onDone, onClose }: CaseProps) {
  const form = useForm({
    saved: {
      input: testCase?.input ?? '',
      expected_output: testCase?.expected_output ?? null,
      metadata: (testCase?.metadata ?? null) as unknown,
    },
    invalidates: [],
    run: async ({ metadata, ...draft }) => onDone({ ...draft, ...(isObject(metadata) && { metadata }) }),
  })
  const { input, metadata } = form.draft
  const isValid = metadata === null || isObject(metadata)
  return (
    <FormDialog
      title={testCase ? `Case ${number}` : 'New case'}
      form={form}
      action={testCase ? 'Save case' : 'Add case'}
      isComplete={input.trim() !== '' && isValid}
      onClose={onClose}
    >
      <TextArea label="Question" rows={3} {...form.field('input')} />
      <TextArea
        label="Expected answer"
        hint="Most scorers compare the answer with this. Leave empty if not needed."
        rows={4}
        {...form.field('expected_output', null)}
      />
      <details open={Object.keys(testCase?.metadata ?? {}).length > 0}>
        <summary>Metadata</summary>
        <JsonField
          label="Metadata as JSON"
          hint="Any JSON object. The retrieval hit scorer reads “source” and “page”."
          rows={3}
          {...form.json('metadata')}
          error={isValid ? undefined : 'Enter a JSON object, such as {"source": "handbook.pdf"}.'}
        />
      </details>
    </FormDialog>
  )
}
