import type TurndownService from 'turndown'
import type { HtmlElement } from './html-dom.ts'
import { listCells } from './html-table-grid.ts'
import { tableCell } from './markdown-table.ts'

// A cell with a table and more text than this is probably layout.
const maxNestedText = 500
const maxNestedShare = 0.5

/** Converts data tables to Markdown. Layout tables are replaced by their content, and tables in cells by their text. */
export function addTableRules(service: TurndownService): void {
  const kinds = new WeakMap<object, 'layout' | 'data' | 'text'>()
  const tableKind = (table: HtmlElement | null): 'layout' | 'data' | 'text' => {
    if (!table) return 'layout'
    const known = kinds.get(table)
    if (known) return known
    const outer = table.parentElement?.closest('table')
    const kind = outer && tableKind(outer) !== 'layout' ? 'text' : isLayoutTable(table) ? 'layout' : 'data'
    kinds.set(table, kind)
    return kind
  }
  const kindAt = (node: object) => tableKind(asElement(node)?.closest('table') ?? null)
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, node) => {
      const kind = kindAt(node)
      if (kind === 'layout') return `\n\n${content}\n\n`
      return kind === 'text' ? ` ${tableCell(content)},` : `| ${tableCell(content)} `
    },
  })
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const kind = kindAt(node)
      if (kind === 'layout') return content
      return kind === 'text' ? `${content.replace(/,$/, '')};` : `\n${content}|\n`
    },
  })
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) => {
      const kind = tableKind(asElement(node) ?? null)
      if (kind === 'text') return ` ${content.replace(/;\s*$/, '')} `
      return `\n\n${kind === 'layout' ? content : markdownTable(content)}\n\n`
    },
  })
}

export const asElement = (node: object): HtmlElement | undefined =>
  'getAttribute' in node ? (node as HtmlElement) : undefined

function isLayoutTable(table: HtmlElement): boolean {
  if (table.getAttribute('role') === 'presentation') return true
  const cells = [...table.querySelectorAll('td, th')].filter((cell) => cell.closest('table') === table)
  const withTable = cells.filter((cell) => cell.querySelector('table'))
  if (withTable.length > cells.length * maxNestedShare) return true
  if (withTable.some(({ textContent }) => (textContent?.length ?? 0) > maxNestedText)) return true
  const rows = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table)
  return !rows.some((row) => listCells(row).length > 1)
}

/** Adds the separator line under the first row. */
function markdownTable(content: string): string {
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  const rows = lines.filter((line) => line.startsWith('|'))
  const captions = lines.filter((line) => !line.startsWith('|'))
  const [head = '', ...rest] = rows
  const columns = head.split(/(?<!\\)\|/).length - 2
  return [...captions, ...(captions.length > 0 ? [''] : []), head, `|${' --- |'.repeat(columns)}`, ...rest].join('\n')
}
