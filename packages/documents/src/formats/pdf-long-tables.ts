import type { Block } from '../document.ts'
import type { Line } from './pdf-lines.ts'

/** The header and the line below it. */
const readHeader = ({ text }: Line): string => text.split('\n', 2).join('\n')

/** Without its header, a table that begins a page goes on with the one at the end of the page before. */
export function withoutRepeatedHeads(pages: Line[][]): Line[][] {
  let head: string | null = null
  return pages.map((lines) => {
    if (lines.length === 0) return lines
    const [first, ...rest] = lines as [Line, ...Line[]]
    const continues = first.isTable === true && head !== null && first.text.startsWith(`${head}\n`)
    const last = lines.at(-1)
    if (last !== first || !continues) head = last?.isTable ? readHeader(last) : null
    return continues ? [{ ...first, text: first.text.slice(readHeader(first).length + 1), continues }, ...rest] : lines
  })
}

interface PlacedTable {
  start: number
  text: string
  continues?: boolean
}

/** The tables of a document, each with its rows on the next pages. */
export function tableBlocks(tables: readonly PlacedTable[]): Block[] {
  const blocks: Block[] = []
  for (const { start, text, continues } of tables) {
    const last = blocks.at(-1)
    const end = start + text.length
    if (continues && last) last.end = end
    else blocks.push({ kind: 'table', start, end })
  }
  return blocks
}
