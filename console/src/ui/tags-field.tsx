import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Field } from './field.tsx'
import { findOptions } from './find-options.ts'
import type { Option } from './option.ts'
import { reached, Suggestions } from './suggestions.tsx'

interface TagsProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: readonly string[] | null | undefined
  onChange: (value: string[]) => void
  placeholder?: string
  /** The texts that exist already, to pick from. Other ones can be entered too. */
  options?: readonly Option[]
  /** What a text is that none of the options has, such as a group: it is created by a row of its own, never by typing alone. */
  creates?: string
}

const maxOffered = 50

/** A list of short texts, picked or entered one by one. */
export function TagsField({
  label,
  hint,
  error,
  value: words,
  onChange,
  placeholder,
  options = [],
  creates,
}: TagsProps) {
  const value = words ?? []
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const list = useId()
  const entered = text.trim()
  const free = options.filter((option) => !value.includes(option.value))
  const { found, hidden } = findOptions(free, entered, maxOffered)
  const isNew = entered !== '' && !value.includes(entered) && !options.some((option) => option.value === entered)
  const offered = creates && isNew ? [...found, { value: entered, label: `Create ${creates} “${entered}”` }] : found
  const isOffering = isOpen && offered.length > 0
  const add = (picked: string) => {
    const word = picked.trim()
    if (word && !value.includes(word)) onChange([...value, word])
    setText('')
    setChosen(-1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = reached(event.key, chosen, offered.length)
    if (next !== undefined) {
      event.preventDefault()
      setIsOpen(true)
      setChosen(next)
    } else if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      const exact = offered.find((option) => option.value === entered)
      add((offered[chosen] ?? exact ?? (creates ? offered[0] : undefined))?.value ?? (creates ? '' : text))
    } else if (event.key === 'Escape' && isOffering) {
      event.stopPropagation()
      setIsOpen(false)
    } else if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1))
  }
  const notCreated =
    creates && isNew && !isOpen ? `The ${creates} “${entered}” does not exist. Press Enter to create it.` : undefined
  return (
    <Field label={label} hint={hint} error={error ?? notCreated}>
      {(control) => (
        <div className="tags">
          {value.map((word) => (
            <span key={word} className="tag">
              {options.find((option) => option.value === word)?.label ?? word}
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
            autoComplete="off"
            {...((options.length > 0 || creates) && {
              role: 'combobox',
              'aria-expanded': isOffering,
              'aria-controls': list,
              'aria-activedescendant': isOffering && offered[chosen] ? `${list}-${chosen}` : undefined,
            })}
            value={text}
            placeholder={value.length === 0 ? placeholder : ''}
            onFocus={() => setIsOpen(true)}
            onChange={(event) => {
              setText(event.target.value)
              setChosen(-1)
              setIsOpen(true)
            }}
            onKeyDown={onKeyDown}
            onBlur={() => {
              setIsOpen(false)
              if (!creates || !isNew) add(text)
            }}
          />
          {isOffering && (
            <Suggestions
              id={list}
              options={offered}
              hidden={hidden}
              chosen={chosen}
              onReach={setChosen}
              onChoose={add}
            />
          )}
        </div>
      )}
    </Field>
  )
}
