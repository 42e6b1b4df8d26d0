import { useEffect, useState } from 'react'
import { json } from './code.tsx'
import { TextArea } from './field.tsx'

interface JsonProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: unknown
  /** The value of an empty field. */
  empty?: unknown
  rows?: number
  onChange: (value: unknown) => void
  /** Called with whether the text is valid JSON, and with true when the field is removed. */
  onValid?: (isValid: boolean) => void
}

const parse = (text: string, empty: unknown): { value: unknown } | { problem: string } => {
  if (text.trim() === '') return { value: empty }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : error}` }
  }
}

/** A value edited as JSON. */
export function JsonField({ label, hint, error, value, empty = null, rows = 5, onChange, onValid }: JsonProps) {
  const [text, setText] = useState(() => (value === undefined || value === null ? '' : json(value)))
  const read = parse(text, empty)
  const isValid = 'value' in read
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onValid` is new on each render
  useEffect(() => {
    onValid?.(isValid)
    return () => onValid?.(true)
  }, [isValid])
  const change = (next: string) => {
    setText(next)
    const parsed = parse(next, empty)
    if ('value' in parsed) onChange(parsed.value)
  }
  return (
    <TextArea
      label={label}
      hint={hint}
      error={'problem' in read ? read.problem : error}
      mono
      rows={rows}
      value={text}
      onChange={change}
    />
  )
}
