import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
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
  const [input, setInput] = useState(testCase?.input ?? '')
  const [expected, setExpected] = useState(testCase?.expected_output ?? '')
  const [metadata, setMetadata] = useState<unknown>(testCase?.metadata ?? null)
  const [isJson, setJson] = useState(true)
  const isValid = isJson && (metadata === null || isObject(metadata))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onDone({ input, expected_output: expected || null, ...(isObject(metadata) && { metadata }) })
  }
  return (
    <Dialog open onOpenChange={(is) => !is && onClose()} title={testCase ? `Case ${number}` : 'New case'}>
      <form className="stack" onSubmit={submit}>
        <TextArea label="Question" rows={3} value={input} onChange={setInput} />
        <TextArea
          label="Expected answer"
          hint="Most scorers compare the answer with this. Leave empty if not needed."
          rows={4}
          value={expected}
          onChange={setExpected}
        />
        <details open={Object.keys(testCase?.metadata ?? {}).length > 0}>
          <summary>Metadata</summary>
          <JsonField
            label="Metadata as JSON"
            hint="Any JSON object. The retrieval hit scorer reads “source” and “page”."
            rows={3}
            value={testCase?.metadata}
            error={isValid ? undefined : 'Enter a JSON object, such as {"source": "handbook.pdf"}.'}
            onChange={setMetadata}
            onValid={setJson}
          />
        </details>
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={input.trim() === '' || !isValid}>
            {testCase ? 'Save case' : 'Add case'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
