import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toTarget } from './target.ts'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Hidden on a narrow screen. */
  minor?: boolean
  numeric?: boolean
}

export interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** The page of a row. The first column is the link. */
  to?: (row: Row) => string
}

export function Table<Row>({ label, rows, columns, rowKey, to }: TableProps<Row>) {
  const navigate = useNavigate()
  const cellClass = ({ minor, numeric }: Column<Row>) => `${minor ? 'minor ' : ''}${numeric ? 'numeric' : ''}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="table-frame" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={cellClass(column)}>
                {column.title || <span className="visually-hidden">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={to ? 'clickable' : ''}
              onClick={(event) => {
                const isPlain = !(event.target as Element).closest('a, button, input, [role=menuitem]')
                if (to && isPlain && getSelection()?.isCollapsed !== false) void navigate(toTarget(to(row)))
              }}
            >
              {columns.map((column, index) => (
                <td key={column.title} className={cellClass(column)}>
                  {index === 0 && to ? (
                    <Link {...toTarget(to(row))} className="row-link">
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
