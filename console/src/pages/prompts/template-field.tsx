import { Field } from '../../ui/field.tsx'
import { splitTemplate } from './placeholders.ts'

interface TemplateFieldProps {
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** A text area that highlights variables with marks behind the text. */
export const TemplateField = ({ value, onChange, error }: TemplateFieldProps) => (
  <Field label="Text" hint="Use {{name}} for variables." error={error}>
    {(control) => (
      <div className="highlighted">
        <pre aria-hidden>
          {splitTemplate(value).map(({ text, name }, index) =>
            name === null ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: segments have no id
              <mark key={index}>{text}</mark>
            ),
          )}
          {'\n'}
        </pre>
        <textarea {...control} spellCheck={false} value={value} onChange={(event) => onChange(event.target.value)} />
      </div>
    )}
  </Field>
)
