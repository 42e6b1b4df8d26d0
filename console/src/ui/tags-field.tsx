import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Field } from './field.tsx'
import { hasWords } from './search-list.tsx'
import type { Option } from './select.tsx'

interface TagsProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: readonly string[] | null | undefined
  onChange: (value: string[]) => void
  placeholder?: string
  /** The texts that exist already, to pick from. Other ones can be entered too. */
  options?: readonly Option[]
}

const maxOffered = 8

/** A list of short texts, picked or entered one by one. */
export function TagsField({ label, hint, error, value: words, onChange, placeholder, options = [] }: TagsProps) {
  const value = words ?? []
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const list = useId()
  const offered = options
    .filter((option) => !value.includes(option.value) && hasWords(`${option.label} ${option.value}`, text.trim()))
    .slice(0, maxOffered)
  const isOffering = isOpen && offered.length > 0
  const add = (entered: string) => {
    const word = entered.trim()
    if (word && !value.includes(word)) onChange([...value, word])
    setText('')
    setChosen(-1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && offered.length > 0) {
      event.preventDefault()
      setIsOpen(true)
      setChosen((Math.max(chosen, step > 0 ? -1 : 0) + step + offered.length) % offered.length)
    } else if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      add(offered[chosen]?.value ?? text)
    } else if (event.key === 'Escape' && isOffering) {
      event.stopPropagation()
      setIsOpen(false)
    } else if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1))
  }
  return (
    <Field label={label} hint={hint} error={error}>
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
            {...(options.length > 0 && {
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
              add(text)
            }}
          />
          {isOffering && (
            <div className="menu offered palette-list" id={list} role="listbox" aria-label={label}>
              {offered.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
                <div
                  key={option.value}
                  id={`${list}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === chosen}
                  // The field keeps the focus.
                  onPointerDown={(event) => event.preventDefault()}
                  onPointerMove={() => setChosen(index)}
                  onClick={() => add(option.value)}
                >
                  <span className="grow clip">{option.label}</span>
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </Field>
  )
}
