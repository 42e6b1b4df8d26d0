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
  const [isReadable, setReadable] = useState(true)
  const isNotes = isReadable && (metadata === null || isObject(metadata))
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
          hint="What most scorers compare with. Empty where none is needed."
          rows={4}
          value={expected}
          onChange={setExpected}
        />
        <details open={Object.keys(testCase?.metadata ?? {}).length > 0}>
          <summary>Notes</summary>
          <JsonField
            label="Metadata"
            hint="Your own; “source” or “page” say what a retrieval hit has to find."
            rows={3}
            value={testCase?.metadata}
            error={isNotes ? undefined : 'An object is needed, as in {"source": "handbook.pdf"}.'}
            onChange={setMetadata}
            onValid={setReadable}
          />
        </details>
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={input.trim() === '' || !isNotes}>
            {testCase ? 'Change case' : 'Add case'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
