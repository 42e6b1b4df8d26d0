import { useState } from 'react'
import { CopyButton } from '../../ui/code.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { placeholdersIn, splitTemplate } from './placeholders.ts'

/** A live preview of the rendered template. */
export function Preview({ template }: { template: string }) {
  const [values, setValues] = useState<Record<string, string>>({})
  const names = placeholdersIn(template)
  const segments = splitTemplate(template)
  const text = segments
    .map((segment) => (segment.name === null ? segment.text : (values[segment.name] ?? segment.text)))
    .join('')
  return (
    <Card title="Preview" actions={<CopyButton text={text} label="Copy preview" />}>
      {names.length === 0 ? (
        <p className="muted">This template has no variables.</p>
      ) : (
        <div className="columns">
          {names.map((name) => (
            <TextField
              key={name}
              label={name}
              value={values[name] ?? ''}
              onChange={(value) =>
                setValues(({ [name]: _, ...others }) => (value === '' ? others : { ...others, [name]: value }))
              }
            />
          ))}
        </div>
      )}
      <section className="plain-pre" aria-label="Rendered text">
        {segments.map(({ text: segment, name }, index) =>
          name === null ? (
            segment
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: segments have no id
            <mark key={index} className={values[name] === undefined ? 'missing' : 'filled'}>
              {values[name] ?? segment}
            </mark>
          ),
        )}
      </section>
    </Card>
  )
}
