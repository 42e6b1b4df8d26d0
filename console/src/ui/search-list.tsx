import { CornerDownLeft, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

interface SearchRow {
  key: string
  content: ReactNode
}

interface SearchListProps {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  rows: readonly SearchRow[]
  /** The row that is chosen at first, and after the text has changed. */
  first?: number
  onChoose: (index: number) => void
  /** Shown below the rows. */
  note?: ReactNode
}

/** A field above what it finds: arrow keys choose, Enter takes. */
export function SearchList({ label, placeholder, text, onText, rows, first = 0, onChoose, note }: SearchListProps) {
  const [chosen, setChosen] = useState(first)
  const list = useId()
  const current = Math.min(chosen, rows.length - 1)
  const option = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when another row is chosen
  useEffect(() => {
    option.current?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((current + step + rows.length) % Math.max(1, rows.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (rows[current]) onChoose(current)
    }
  }

  return (
    <div className="palette">
      <label className="palette-field">
        <Search aria-hidden size={17} />
        <input
          // biome-ignore lint/a11y/noAutofocus: opening the list means typing into it
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-label={label}
          aria-activedescendant={rows[current] ? `${list}-${current}` : undefined}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            onText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <div className="palette-list" id={list} role="listbox" aria-label="Results">
        {rows.map(({ key, content }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={key}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            {...(index === current && { ref: option })}
            onPointerMove={() => setChosen(index)}
            onClick={() => onChoose(index)}
          >
            {content}
            {index === current && <CornerDownLeft aria-hidden size={14} />}
          </div>
        ))}
        {rows.length === 0 && <p className="palette-none muted">No results</p>}
      </div>
      {note}
    </div>
  )
}
