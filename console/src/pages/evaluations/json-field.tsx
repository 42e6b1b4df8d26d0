import { useState } from 'react'
import { json } from '../../ui/code.tsx'
import { TextArea } from '../../ui/field.tsx'

interface JsonProps {
  label: string
  hint?: string
  error?: string | undefined
  value: unknown
  onChange: (value: Record<string, unknown> | undefined) => void
}

/** The object a text stands for; nothing where it stands for none. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** A JSON object, taken over as soon as what is written is one. */
export function JsonField({ label, hint, error, value, onChange }: JsonProps) {
  const [text, setText] = useState(value === undefined || value === null ? '' : json(value))
  const isWrong = text.trim() !== '' && objectIn(text) === undefined
  return (
    <TextArea
      label={label}
      mono
      rows={3}
      value={text}
      placeholder="{ }"
      error={isWrong ? 'This is not a JSON object yet.' : error}
      {...(hint && { hint })}
      onChange={(next) => {
        setText(next)
        if (next.trim() === '' || objectIn(next)) onChange(objectIn(next))
      }}
    />
  )
}
