import type { ReactNode } from 'react'

type Cell = string | number | boolean | null

interface DataTableProps {
  label: string
  columns: readonly { name: string; note?: string; numeric?: boolean }[]
  rows: readonly (readonly Cell[])[]
  /** Shown before the row at this position. */
  renderNumber?: (row: number) => ReactNode
}

/** A table that scrolls sideways, for data whose columns are known only when it is read. */
export const DataTable = ({ label, columns, rows, renderNumber }: DataTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section className="table-frame data-table" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {renderNumber && (
            <th scope="col" className="numeric">
              <span className="visually-hidden">Row</span>#
            </th>
          )}
          {columns.map(({ name, note, numeric }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns can have the same name, and keep their order
            <th key={at} scope="col" className={numeric ? 'numeric' : ''}>
              {name}
              {note && <span className="note">{note}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows can repeat, and keep their order
          <tr key={at}>
            {renderNumber && <td className="numeric">{renderNumber(at)}</td>}
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <td key={column} className={typeof cell === 'number' ? 'numeric' : ''}>
                {cell === null ? <span className="muted">–</span> : shown(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** Rows whose columns have only names: a column is numeric if its first cell is. */
export const NamedRows = ({ label, names, rows }: { label: string; names: string[]; rows: Cell[][] }) => (
  <DataTable
    label={label}
    columns={names.map((name, at) => ({ name, numeric: typeof rows[0]?.[at] === 'number' }))}
    rows={rows}
  />
)

const shown = (cell: string | number | boolean): string =>
  typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell)
