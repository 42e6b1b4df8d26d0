import { Popover } from '@base-ui/react/popover'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { findOptions } from './find-options.ts'
import type { Option } from './option.ts'
import { SearchList } from './search-list.tsx'
import { MoreNote } from './suggestions.tsx'

interface SelectControl {
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  disabled?: boolean
  required?: boolean
  onFocus?: () => void
  onBlur?: () => void
}

interface SelectProps<Value extends string> extends SelectControl {
  value: Value
  onChange: (value: Value) => void
  options: readonly Option<Value>[]
}

/** More options than these are searched. */
export const maxListed = 12
const maxShown = 100

/** One of several options: the browser's own list where they are few, else one that can be searched. */
export function Select<Value extends string>({ value, onChange, options, ...control }: SelectProps<Value>) {
  if (options.length > maxListed)
    return <SearchedSelect value={value} onChange={onChange} options={options} {...control} />
  return (
    <select {...control} value={value} onChange={(event) => onChange(event.target.value as Value)}>
      {[...new Set(options.map(({ group }) => group))].map((group) => {
        const members = options
          .filter((option) => option.group === group)
          .map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))
        return group === undefined ? (
          members
        ) : (
          <optgroup key={group} label={group}>
            {members}
          </optgroup>
        )
      })}
    </select>
  )
}

function SearchedSelect<Value extends string>({ value, onChange, options, ...control }: SelectProps<Value>) {
  const { required, ...trigger } = control
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const chosen = options.findIndex((option) => option.value === value)
  const { found, hidden } = findOptions(options, text, maxShown)
  const open = (is: boolean) => {
    setIsOpen(is)
    setText('')
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={open}>
      <Popover.Trigger className="searched-select" role="combobox" {...trigger}>
        <span className="grow clip">{options[chosen]?.label}</span>
        <ChevronDown aria-hidden size={15} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="positioner" sideOffset={4} align="start">
          <Popover.Popup className="menu searched" aria-label="Choose one">
            <SearchList
              label="Search"
              placeholder={`Search ${options.length} entries…`}
              text={text}
              onText={setText}
              first={Math.max(0, chosen)}
              note={<MoreNote hidden={hidden} />}
              rows={found.map(({ value: key, label, group }) => ({
                key,
                content: (
                  <>
                    <span className="grow clip">{label}</span>
                    {group && <span className="muted small">{group}</span>}
                  </>
                ),
              }))}
              onChoose={(index) => {
                const option = found[index]
                if (option && option.value !== value) onChange(option.value)
                open(false)
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
