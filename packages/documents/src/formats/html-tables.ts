import type TurndownService from 'turndown'
import type { HtmlElement } from './html-dom.ts'
import { tableCell } from './markdown-table.ts'

const maxColumnSpan = 50

/** Converts data tables to Markdown. Of layout tables only the content is kept. */
export function addTableRules(service: TurndownService): void {
  const layouts = new WeakMap<object, boolean>()
  const isLayout = (table: HtmlElement | null): boolean => {
    if (!table) return true
    const known = layouts.get(table)
    if (known !== undefined) return known
    const layout = isLayoutTable(table)
    layouts.set(table, layout)
    return layout
  }
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, node) => {
      const cell = elementOf(node)
      if (!cell || isLayout(cell.closest('table'))) return `\n\n${content}\n\n`
      const span = Math.min(Number(cell.getAttribute('colspan')) || 1, maxColumnSpan)
      return `| ${tableCell(content)} ${'|  '.repeat(span - 1)}`
    },
  })
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => (isLayout(elementOf(node)?.closest('table') ?? null) ? content : `\n${content}|\n`),
  })
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) => `\n\n${isLayout(elementOf(node) ?? null) ? content : markdownTable(content)}\n\n`,
  })
}

export const elementOf = (node: object): HtmlElement | undefined =>
  'getAttribute' in node ? (node as HtmlElement) : undefined

function isLayoutTable(table: HtmlElement): boolean {
  if (table.getAttribute('role') === 'presentation' || table.querySelector('table')) return true
  return ![...table.querySelectorAll('tr')].some((row) => row.querySelectorAll('td, th').length > 1)
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
