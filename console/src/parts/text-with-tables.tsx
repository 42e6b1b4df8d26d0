import { Fragment, type ReactNode } from 'react'
import { splitBlocks } from './pipe-tables.ts'

interface TextWithTablesProps {
  text: string
  /** Renders a piece of plain text, such as with highlighted words. */
  render: (text: string) => ReactNode
}

/** A text of a document. Its tables, which are written with pipes, are drawn as tables. */
export const TextWithTables = ({ text, render }: TextWithTablesProps) =>
  splitBlocks(text).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id
    <Fragment key={index}>
      {typeof block === 'string' ? render(block) : <PipeTable rows={block.map((row) => row.map(render))} />}
    </Fragment>
  ))

/** The first row is the head. */
export const PipeTable = ({ rows: [head = [], ...rows] }: { rows: ReactNode[][] }) => (
  <div className="table-frame pipe-frame">
    <table className="pipe-table">
      <thead>
        <tr>
          {head.map((cell, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no id
            <th key={at}>{cell}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
          <tr key={number}>
            {row.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no id
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
