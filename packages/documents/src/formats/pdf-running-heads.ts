import type { Line } from './pdf-lines.ts'

const edgeLines = 3
const minPages = 3
const minShare = 0.2
/** Enough in a document of any length: chapters have running heads of their own. */
const enoughPages = 8

/** Removes page numbers and running heads: what stands at the same place of many pages, with other numbers in it. */
export function withoutRunningHeads(pages: Line[][]): Line[][] {
  const counts = new Map<string, number>()
  for (const [index, lines] of pages.entries())
    for (const key of new Set([...edgesOf(lines)].flatMap((line) => keysOf(line, index))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  const wanted = Math.max(minPages, Math.min(enoughPages, pages.length * minShare))
  return pages.map((lines, index) => {
    const edges = edgesOf(lines)
    const isRunning = (line: Line) => keysOf(line, index).some((key) => (counts.get(key) ?? 0) >= wanted)
    const rest = lines.filter((line) => !edges.has(line) || !isRunning(line))
    return rest.length > 0 ? rest : lines
  })
}

/** The lines nearest to the upper and lower edge. The titles of a table may be the same on every page, but they are no running heads. */
function edgesOf(lines: Line[]): Set<Line> {
  const byHeight = lines.toSorted((a, b) => a.y - b.y)
  const edges = [...byHeight.slice(0, edgeLines), ...byHeight.slice(-edgeLines)]
  return new Set(edges.filter(({ cells, text }) => cells.length < 3 || /\d/.test(text)))
}

/** The text at its height, and for a page number its distance to the place of the page, because pages may be of any height. */
function keysOf({ text, y }: Line, index: number): string[] {
  const shape = text.toLowerCase().replace(/\d+/g, '#').replace(/\s+/g, ' ')
  const key = `${Math.round(y / 6)} ${/^[ivxlc]+$/.test(shape) ? '#' : shape}`
  const number = /^\D{0,8}(\d{1,5})\D{0,3}$/.exec(text)?.[1]
  return number === undefined ? [key] : [key, `${shape} ${Number(number) - index}`]
}
