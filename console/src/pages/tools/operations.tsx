import type { Schemas } from '@parley/client'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CheckField, TextField } from '../../ui/field.tsx'

interface OperationsProps {
  outcome: Schemas['ApiToolImportResult']
  approveWrites: boolean
  value: string[]
  onChange: (operations: string[]) => void
}

/** The operations to select from, and those that cannot become tools with the reason. */
export function Operations({ outcome, approveWrites, value: chosen, onChange }: OperationsProps) {
  const { operations, skipped } = outcome
  const [filter, setFilter] = useState('')
  const text = filter.toLowerCase()
  const shown = operations.filter(({ operation, name, description }) =>
    `${operation} ${name} ${description}`.toLowerCase().includes(text),
  )
  const names = shown.map(({ operation }) => operation)
  return (
    <>
      <div className="toolbar">
        <div className="grow">
          <TextField label="Filter" value={filter} onChange={setFilter} />
        </div>
        <Button onClick={() => onChange([...new Set([...chosen, ...names])])}>Select all</Button>
        <Button onClick={() => onChange(chosen.filter((each) => !names.includes(each)))}>Select none</Button>
      </div>
      <fieldset className="operations">
        <legend className="visually-hidden">Operations</legend>
        {shown.map(({ operation, name, description, tool_id: known, notes, requires_approval: approval }) => (
          <CheckField
            key={operation}
            label={`${name} · ${operation}${known ? ' (updates existing tool)' : ''}`}
            hint={[description, approval && approveWrites && 'Requires approval', ...notes].filter(Boolean).join(' · ')}
            value={chosen.includes(operation)}
            onChange={(is) => onChange(is ? [...chosen, operation] : chosen.filter((each) => each !== operation))}
          />
        ))}
        {shown.length === 0 && <p className="muted">No matching operations</p>}
      </fieldset>
      {skipped.length > 0 && (
        <details>
          <summary>{skipped.length} operations cannot become tools</summary>
          <ul className="offered">
            {skipped.map(({ operation, reason }) => (
              <li key={operation}>
                <code>{operation}</code> <span className="muted">{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
