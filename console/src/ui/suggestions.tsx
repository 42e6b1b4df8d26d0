import type { Option } from './option.ts'

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

/** The next option for an arrow key, or undefined for another key. */
export function reached(key: string, chosen: number, count: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step === undefined || count === 0) return undefined
  return (Math.max(chosen, step > 0 ? -1 : 0) + step + count) % count
}
