import { type ChangeEvent, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Field, SelectField, TextArea } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { showError } from '../../ui/toasts.tsx'

type Format = 'csv' | 'jsonl'
type Mode = 'append' | 'replace'

/** JSON Lines start with a brace; anything else is CSV. */
const formatOf = (text: string): Format => (text.trimStart().startsWith('{') ? 'jsonl' : 'csv')
const maxPreviewLength = 20_000

export function ImportCases({ id, onClose }: { id: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [file, setFile] = useState<{ name: string; content: string } | null>(null)
  const [format, setFormat] = useState<Format>('csv')
  const [mode, setMode] = useState<Mode>('append')
  const content = file?.content ?? text
  const run = useSave({
    invalidates: ['evaluations'],
    run: () => parley.evaluations.importCases(id, { format, content }, { mode }),
    toast: ({ imported, test_case_count: all }) => `${count(imported)} imported, ${count(all)} total`,
    onDone: onClose,
  })
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? []
    if (!chosen) return
    try {
      const read = await chosen.text()
      setFile({ name: chosen.name, content: read })
      setFormat(/\.(jsonl|ndjson)$/i.test(chosen.name) ? 'jsonl' : formatOf(read))
    } catch (error) {
      showError(error, 'Could not read the file')
    }
  }
  return (
    <FormDialog
      title="Import cases"
      description="CSV with the columns input and expected_output, or JSON Lines with the same fields. Other columns become metadata."
      save={run}
      action="Import cases"
      isComplete={content.trim() !== ''}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <Field label="File" {...(file && { hint: `${file.name}: ${count(file.content.length)} characters` })}>
            {(control) => (
              <input
                {...control}
                type="file"
                accept=".csv,.jsonl,.ndjson,text/csv,application/jsonl,application/x-ndjson"
                onChange={(event) => void choose(event)}
              />
            )}
          </Field>
          {!file && (
            <TextArea
              label="Or paste cases"
              mono
              rows={6}
              value={text}
              error={errorAt('content')}
              placeholder={'input,expected_output\nHow long does delivery take?,Three to five working days.'}
              onChange={(next) => {
                setText(next)
                setFormat(formatOf(next))
              }}
            />
          )}
          {file && (
            <pre className="plain-pre short">
              {file.content.slice(0, maxPreviewLength).split('\n').slice(0, 6).join('\n')}
            </pre>
          )}
          {file && errorAt('content') && <p className="notice bad">{errorAt('content')}</p>}
          <div className="columns">
            <SelectField
              label="Format"
              value={format}
              onChange={(value) => setFormat(value as Format)}
              options={[
                { value: 'csv', label: 'CSV' },
                { value: 'jsonl', label: 'JSON Lines' },
              ]}
            />
            <SelectField
              label="Existing cases"
              value={mode}
              onChange={(value) => setMode(value as Mode)}
              options={[
                { value: 'append', label: 'Keep' },
                { value: 'replace', label: 'Replace all' },
              ]}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}
