import { type ReactNode, useId } from 'react'
import type { Option } from './option.ts'
import { Select } from './select.tsx'

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

export interface TextProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string | null | undefined
  onChange: (value: string) => void
  placeholder?: string
  disabled?: boolean
  required?: boolean
  type?: string
  onFocus?: () => void
  onBlur?: () => void
}

interface TextFieldProps extends TextProps {
  autoComplete?: string
  /** Selects the text when the field gets the focus, so that typing replaces it. */
  selectsAll?: boolean
}

export const TextField = ({ label, hint, error, value, onChange, selectsAll, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <input
        type="text"
        {...control}
        {...rest}
        {...(selectsAll && { onFocus: ({ currentTarget }) => currentTarget.select() })}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

/** A text that is never shown, such as an API key. */
export const SecretField = (props: TextProps) => <TextField type="password" autoComplete="off" {...props} />

export const TextArea = ({
  label,
  hint,
  error,
  value,
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
        value={value ?? ''}
        className={mono ? 'mono' : ''}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

interface NumberProps extends Omit<TextProps, 'value' | 'onChange'> {
  value: number | null | undefined
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

interface SelectProps<Value extends string> extends Omit<TextProps, 'value' | 'onChange' | 'placeholder' | 'type'> {
  value: Value | null | undefined
  onChange: (value: Value) => void
  /** The option with an empty value stands for no value. */
  options: readonly Option<Value | ''>[]
}

/** One of several options. A value that is none of them is shown as it is. */
export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, error, value, onChange, options, ...rest } = props
  const chosen = value ?? ''
  const isKnown = options.some((option) => option.value === chosen)
  const unknown: Option<Value | ''> = { value: chosen, label: chosen || 'Choose…' }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Select
          {...control}
          {...rest}
          value={chosen}
          onChange={(next) => onChange(next as Value)}
          options={isKnown ? options : chosen === '' ? [unknown, ...options] : [...options, unknown]}
        />
      )}
    </Field>
  )
}

interface CheckProps {
  label: string
  hint?: string | undefined
  value: boolean | null | undefined
  onChange: (value: boolean) => void
  disabled?: boolean
}

export const CheckField = ({ label, hint, value, onChange, disabled = false }: CheckProps) => (
  <label className="check">
    <input
      type="checkbox"
      checked={value ?? false}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>
      {label}
      {hint && <span className="field-note">{hint}</span>}
    </span>
  </label>
)
