import { Field } from '../../ui/field.tsx'
import { piecesOf } from './placeholders.ts'

interface TemplateFieldProps {
  value: string
  onChange: (value: string) => void
  disabled: boolean
  error: string | undefined
}

/** A text area whose variables are marked: the marks lie behind the text, letter for letter. */
export const TemplateField = ({ value, onChange, disabled, error }: TemplateFieldProps) => (
  <Field label="Text" hint="Write {{name}} where a value goes." error={error}>
    {(control) => (
      <div className="highlighted">
        <pre aria-hidden>
          {piecesOf(value).map(({ text, name }, place) =>
            name === null ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other name than its place
              <mark key={place}>{text}</mark>
            ),
          )}
          {'\n'}
        </pre>
        <textarea
          {...control}
          disabled={disabled}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    )}
  </Field>
)
