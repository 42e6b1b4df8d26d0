import { Search } from 'lucide-react'
import { useState } from 'react'
import { CheckField } from './field.tsx'
import { findOptions } from './find-options.ts'
import { maxListed } from './select.tsx'
import { MoreNote } from './suggestions.tsx'

interface ListedOption {
  value: string
  label: string
  hint?: string | undefined
}

interface ChecklistProps {
  label: string
  /** The label is for screen readers only. */
  isLabelHidden?: boolean
  value: readonly string[]
  onChange: (value: string[]) => void
  error?: string | undefined
  options: readonly ListedOption[]
  /** The name of a chosen value that none of the options has. */
  missing?: string
}

const maxShown = 100

/** Several of some options. Many of them are searched, with the chosen ones first. */
export function ChecklistField({ label, isLabelHidden, value, onChange, error, options, missing }: ChecklistProps) {
  const unknown = value
    .filter((each) => !options.some((option) => option.value === each))
    .map((each) => ({ value: each, label: missing ?? each }))
  const all = [...options, ...unknown]
  return (
    <fieldset className="choices">
      <legend className={isLabelHidden ? 'visually-hidden' : ''}>{label}</legend>
      {all.length > maxListed ? (
        <SearchedOptions label={label} value={value} onChange={onChange} options={all} />
      ) : (
        <Options value={value} onChange={onChange} options={all} />
      )}
      {error && <p className="notice bad">{error}</p>}
    </fieldset>
  )
}

type OptionsProps = Pick<ChecklistProps, 'value' | 'onChange' | 'options'>

const Options = ({ value, onChange, options }: OptionsProps) =>
  options.map((option) => (
    <CheckField
      key={option.value}
      label={option.label}
      hint={option.hint}
      value={value.includes(option.value)}
      onChange={(is) => onChange(is ? [...value, option.value] : value.filter((each) => each !== option.value))}
    />
  ))

function SearchedOptions({ label, value, onChange, options }: OptionsProps & { label: string }) {
  const [text, setText] = useState('')
  // They move to the top with the next search, not under the pointer.
  const [first, setFirst] = useState(value)
  const isFirst = ({ value: each }: ListedOption) => first.includes(each)
  const ordered = [...options.filter(isFirst), ...options.filter((option) => !isFirst(option))]
  const { found, hidden } = findOptions(ordered, text.trim(), maxShown)
  return (
    <>
      <div className="row choices-head">
        <div className="search-box grow">
          <Search aria-hidden size={15} />
          <input
            type="search"
            aria-label={`Search ${label}`}
            placeholder={`Search ${options.length} entries…`}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setFirst(value)
            }}
            // Enter would submit the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
        <span className="muted small" role="status">
          {value.length} chosen
        </span>
      </div>
      <div className="choices choices-list">
        <Options value={value} onChange={onChange} options={found} />
        {found.length === 0 && <p className="muted">No results</p>}
      </div>
      <MoreNote hidden={hidden} />
    </>
  )
}
