import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Field, type TextProps } from './field.tsx'
import { findOptions } from './find-options.ts'
import type { Option } from './option.ts'
import { reached, Suggestions } from './suggestions.tsx'

const maxOffered = 50

/** A text, entered or picked from what is known. A known text is shown by its name. */
export function ComboField(props: TextProps & { options: readonly (string | Option)[] }) {
  const { label, hint, error, value, onChange, options, onFocus, onBlur, ...rest } = props
  const known = options.map((each) => (typeof each === 'string' ? { value: each, label: each } : each))
  /** The text while it is edited. */
  const [text, setText] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const list = useId()
  const box = useRef<HTMLDivElement>(null)
  const { found, hidden } = findOptions(known, text?.trim() ?? '', maxOffered)
  const isOffering = isOpen && found.length > 0
  const close = () => {
    setIsOpen(false)
    setChosen(-1)
    setText(null)
  }
  const choose = (next: string) => {
    onChange(next)
    close()
  }
  useEffect(() => {
    if (chosen >= 0) box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = reached(event.key, chosen, found.length)
    const option = found[chosen]
    if (next !== undefined) {
      event.preventDefault()
      setIsOpen(true)
      setChosen(next)
    } else if (event.key === 'Enter' && isOffering && option) {
      event.preventDefault()
      choose(option.value)
    } else if (event.key === 'Escape' && isOffering) {
      event.stopPropagation()
      setIsOpen(false)
    }
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="combo" ref={box}>
          <input
            type="text"
            autoComplete="off"
            role="combobox"
            aria-expanded={isOffering}
            aria-controls={list}
            aria-activedescendant={isOffering && found[chosen] ? `${list}-${chosen}` : undefined}
            {...control}
            {...rest}
            value={text ?? known.find((option) => option.value === value)?.label ?? value ?? ''}
            onFocus={({ currentTarget }) => {
              currentTarget.select()
              setIsOpen(true)
              onFocus?.()
            }}
            onClick={() => setIsOpen(true)}
            onChange={(event) => {
              setText(event.target.value)
              setIsOpen(true)
              setChosen(-1)
              onChange(event.target.value)
            }}
            onKeyDown={onKeyDown}
            onBlur={() => {
              close()
              onBlur?.()
            }}
          />
          {isOffering && (
            <Suggestions
              id={list}
              options={found}
              hidden={hidden}
              chosen={chosen}
              onReach={setChosen}
              onChoose={choose}
            />
          )}
        </div>
      )}
    </Field>
  )
}
