import { X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Field } from './field.tsx'

interface TagsProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: readonly string[] | null | undefined
  onChange: (value: string[]) => void
  placeholder?: string
}

/** A list of short texts, entered one by one. */
export function TagsField({ label, hint, error, value: words, onChange, placeholder }: TagsProps) {
  const value = words ?? []
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
              <button
                type="button"
                aria-label={`Remove ${word}`}
                onClick={() => onChange(value.filter((other) => other !== word))}
              >
                <X aria-hidden size={12} />
              </button>
            </span>
          ))}
          <input
            {...control}
            type="text"
            value={text}
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
