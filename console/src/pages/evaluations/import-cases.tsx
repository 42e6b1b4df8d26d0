import type { ChangeEvent } from 'react'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Field, SelectField, TextArea } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { showError } from '../../ui/toasts.tsx'

type Format = 'csv' | 'jsonl'
type Mode = 'append' | 'replace'

/** JSON Lines start with a brace; anything else is CSV. */
const detectFormat = (text: string): Format => (text.trimStart().startsWith('{') ? 'jsonl' : 'csv')
const maxPreviewLength = 20_000

export function ImportCases({ id, onClose }: { id: string; onClose: () => void }) {
  const form = useForm({
    saved: { content: '', format: 'csv' as Format, mode: 'append' as Mode, fileName: null as string | null },
    invalidates: ['evaluations'],
    run: ({ format, content, mode }) => parley.evaluations.importCases(id, { format, content }, { mode }),
    toast: ({ imported, test_case_count: all }) => `${count(imported)} imported, ${count(all)} total`,
    onDone: onClose,
  })
  const { content, fileName } = form.draft
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? []
    if (!chosen) return
    try {
      const text = await chosen.text()
      const isLines = /\.(jsonl|ndjson)$/i.test(chosen.name)
      form.change({ fileName: chosen.name, content: text, format: isLines ? 'jsonl' : detectFormat(text) })
    } catch (error) {
      showError(error, 'Could not read the file')
    }
  }
  return (
    <FormDialog
      title="Import cases"
      description="CSV with the columns input and expected_output, or JSON Lines with the same fields. Other columns become metadata."
      form={form}
      action="Import cases"
      isComplete={content.trim() !== ''}
      onClose={onClose}
    >
      <Field label="File" hint={fileName !== null && `${fileName}: ${count(content.length)} characters`}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.jsonl,.ndjson,text/csv,application/jsonl,application/x-ndjson"
            onChange={(event) => void choose(event)}
          />
        )}
      </Field>
      {fileName === null ? (
        <TextArea
          label="Or paste cases"
          mono
          rows={6}
          placeholder={'input,expected_output\nHow long does delivery take?,Three to five working days.'}
          {...form.field('content')}
          onChange={(text) => form.change({ content: text, format: detectFormat(text) })}
        />
      ) : (
        <>
          <pre className="plain-pre short">{content.slice(0, maxPreviewLength).split('\n').slice(0, 6).join('\n')}</pre>
          {form.errorAt('content') && <p className="notice bad">{form.errorAt('content')}</p>}
        </>
      )}
      <div className="columns">
        <SelectField
          label="Format"
          {...form.field('format')}
          options={[
            { value: 'csv', label: 'CSV' },
            { value: 'jsonl', label: 'JSON Lines' },
          ]}
        />
        <SelectField
          label="Existing cases"
          {...form.field('mode')}
          options={[
            { value: 'append', label: 'Keep' },
            { value: 'replace', label: 'Replace all' },
          ]}
        />
      </div>
    </FormDialog>
  )
}
