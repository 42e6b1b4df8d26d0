import type { Option } from './option.ts'
import { hasWords } from './search-list.tsx'

interface SuggestionsProps {
  /** The field above refers to the list and its options by this id. */
  id: string
  options: readonly Option[]
  /** The index of the option that the arrow keys have reached. */
  chosen: number
  onReach: (index: number) => void
  onChoose: (value: string) => void
  /** The number of options that match and are not listed. */
  hidden?: number
}

/** Options under a text field, which keeps the focus. */
export const Suggestions = ({ id, options, chosen, onReach, onChoose, hidden = 0 }: SuggestionsProps) => (
  <div className="menu offered palette-list" onPointerDown={(event) => event.preventDefault()}>
    <div id={id} role="listbox" aria-label="Suggestions">
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onPointerMove={() => onReach(index)}
          onClick={() => onChoose(option.value)}
        >
          <span className="grow clip">{option.label}</span>
        </div>
      ))}
    </div>
    <MoreNote hidden={hidden} />
  </div>
)

/** Says that a list is cut, so that nobody takes it for all there is. */
export const MoreNote = ({ hidden }: { hidden: number }) =>
  hidden > 0 && <p className="more-note muted small">{hidden} more. Type to find them.</p>

/**
 * The options that have all words of a text, and how many of them are beyond the limit. A value is found by its beginning only, because
 * the random part of an id contains any short word.
 */
export function findOptions<Each extends Option>(options: readonly Each[], text: string, limit: number) {
  const start = text.toLowerCase()
  const all = options.filter(
    ({ label, value, group = '' }) => hasWords(`${label} ${group}`, text) || value.toLowerCase().startsWith(start),
  )
  return { found: all.slice(0, limit), hidden: Math.max(0, all.length - limit) }
}

/** The next option for an arrow key, or undefined for another key. */
export function reached(key: string, chosen: number, count: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step === undefined || count === 0) return undefined
  return (Math.max(chosen, step > 0 ? -1 : 0) + step + count) % count
}
