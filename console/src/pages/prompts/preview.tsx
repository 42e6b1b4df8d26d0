import { useState } from 'react'
import { CopyButton } from '../../ui/code.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { piecesOf, placeholdersIn } from './placeholders.ts'

/** What an agent would be told, while it is being written. */
export function Preview({ template }: { template: string }) {
  const [values, setValues] = useState<Record<string, string>>({})
  const names = placeholdersIn(template)
  const pieces = piecesOf(template)
  const text = pieces.map((piece) => (piece.name === null ? piece.text : (values[piece.name] ?? piece.text))).join('')
  return (
    <Card title="Preview" actions={<CopyButton text={text} label="Copy preview" />}>
      {names.length === 0 ? (
        <p className="muted">There are no variables in this text.</p>
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
        {pieces.map(({ text: piece, name }, place) =>
          name === null ? (
            piece
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other name than its place
            <mark key={place} className={values[name] === undefined ? 'missing' : 'filled'}>
              {values[name] ?? piece}
            </mark>
          ),
        )}
      </section>
    </Card>
  )
}
