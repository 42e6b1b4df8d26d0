import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

interface Control {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: (control: Control) => ReactNode
}

/** A control with a label, and a hint or an error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={`field${error ? ' invalid' : ''}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(note && { 'aria-describedby': `${id}-note` }),
        ...(error && { 'aria-invalid': true as const }),
      })}
      {note && (
        <p className="field-note" id={`${id}-note`} {...(error && { role: 'alert' })}>
          {note}
        </p>
      )}
    </div>
  )
}

interface TextProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string
  onChange: (value: string) => void
  placeholder?: string
  disabled?: boolean
  required?: boolean
  type?: string
}

export const TextField = ({ label, hint, error, onChange, ...rest }: TextProps & { autoComplete?: string }) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => <input type="text" {...control} {...rest} onChange={(event) => onChange(event.target.value)} />}
  </Field>
)

/** A text field with suggestions. */
export function ComboField({
  label,
  hint,
  error,
  onChange,
  options,
  ...rest
}: TextProps & { options: string[]; onFocus?: () => void }) {
  const list = useId()
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <>
          <input
            type="text"
            autoComplete="off"
            list={list}
            {...control}
            {...rest}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={list}>
            {options.map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

export const TextArea = ({
  label,
  hint,
  error,
  onChange,
  rows = 4,
  mono,
  ...rest
}: TextProps & { rows?: number; mono?: boolean }) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <textarea
        {...control}
        {...rest}
        rows={rows}
        className={mono ? 'mono' : ''}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

interface NumberProps extends Omit<TextProps, 'value' | 'onChange'> {
  value: number | null
  onChange: (value: number | null) => void
  min?: number
  max?: number
  step?: number | 'any'
}

export const NumberField = ({ label, hint, error, value, onChange, ...rest }: NumberProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <input
        {...control}
        {...rest}
        type="number"
        inputMode="decimal"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
      />
    )}
  </Field>
)

export interface Option {
  value: string
  label: string
  /** Options of one group follow each other, under its name. */
  group?: string
}

const optionsOf = (options: readonly Option[]) =>
  options.map((option) => (
    <option key={option.value} value={option.value}>
      {option.label}
    </option>
  ))

/** The options of a select, grouped. */
export const Options = ({ options }: { options: readonly Option[] }) =>
  [...new Set(options.map(({ group }) => group))].map((group) => {
    const members = optionsOf(options.filter((option) => option.group === group))
    return group === undefined ? (
      members
    ) : (
      <optgroup key={group} label={group}>
        {members}
      </optgroup>
    )
  })

export const SelectField = ({
  label,
  hint,
  error,
  onChange,
  options,
  ...rest
}: TextProps & { options: readonly Option[] }) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <select {...control} {...rest} onChange={(event) => onChange(event.target.value)}>
        <Options options={options} />
      </select>
    )}
  </Field>
)

interface CheckProps {
  label: string
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

export const CheckField = ({ label, hint, checked, onChange, disabled }: CheckProps) => (
  <label className="check">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled ?? false}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>
      {label}
      {hint && <span className="field-note">{hint}</span>}
    </span>
  </label>
)

interface TagsProps {
  label: string
  hint?: string
  error?: string | undefined
  value: readonly string[]
  onChange: (value: string[]) => void
  disabled?: boolean
  placeholder?: string
}

/** A list of short texts, entered one by one. */
export function TagsField({ label, hint, error, value, onChange, disabled, placeholder }: TagsProps) {
  const [text, setText] = useState('')
  const add = () => {
    const word = text.trim()
    if (word && !value.includes(word)) onChange([...value, word])
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      add()
    } else if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1))
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="tags">
          {value.map((word) => (
            <span key={word} className="tag">
              {word}
              {!disabled && (
                <button
                  type="button"
                  aria-label={`Remove ${word}`}
                  onClick={() => onChange(value.filter((other) => other !== word))}
                >
                  <X aria-hidden size={12} />
                </button>
              )}
            </span>
          ))}
          <input
            {...control}
            type="text"
            value={text}
            disabled={disabled}
            placeholder={value.length === 0 ? placeholder : ''}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={add}
          />
        </div>
      )}
    </Field>
  )
}
