import type { Block, Heading } from '../document.ts'

/** A line of the whole document. */
export interface PlacedLine {
  text: string
  start: number
  fontSize: number
  page: number
}

export interface OutlineEntry {
  title: string
  level: number
  page: number
}

interface Structure {
  headings: Heading[]
  blocks: Block[]
}

/** Places each outline entry at the line of its page that matches it best. */
export function headingsFromOutline(outline: OutlineEntry[], lines: PlacedLine[], pageStarts: number[]): Structure {
  const byPage = Map.groupBy(lines, ({ page }) => page)
  const headings: Heading[] = []
  const blocks: Block[] = []
  for (const { title, level, page } of outline) {
    const line = bestLine(title, byPage.get(page) ?? [])
    const start = line?.start ?? pageStarts[page - 1]
    if (start === undefined) continue
    headings.push({ level, title, start })
    if (line) blocks.push({ kind: 'heading', start, end: start + line.text.length })
  }
  headings.sort((a, b) => a.start - b.start)
  return { headings, blocks: withoutOverlaps(blocks) }
}

function bestLine(title: string, lines: PlacedLine[]): PlacedLine | undefined {
  const wanted = letters(title)
  let best: PlacedLine | undefined
  let bestScore = 0
  for (const line of lines) {
    // Page headers repeat the title in small type, so the larger line wins.
    const score = similarity(letters(line.text), wanted) * (1 + line.fontSize / 100)
    if (score > bestScore) {
      best = line
      bestScore = score
    }
  }
  return best
}

/** Without spaces, punctuation and the leading number, which outlines often omit. */
const letters = (text: string): string => text.replace(/^[\d.\s]+(?=\D*\p{L})/u, '').replace(/[^\p{L}\p{N}]+/gu, '')

/** A line may have text before the title, or only its first part. */
function similarity(line: string, title: string): number {
  if (line === '' || title === '') return 0
  if (line === title) return 8
  if (line.toLowerCase() === title.toLowerCase()) return 4
  if (line.length > 8 && title.startsWith(line)) return 2
  const longer = line.toLowerCase()
  return longer.endsWith(title.toLowerCase()) && line.length - title.length <= 12 ? 1 : 0
}

function withoutOverlaps(blocks: Block[]): Block[] {
  const sorted = blocks.toSorted((a, b) => a.start - b.start)
  return sorted.filter(({ start }, index) => start >= (sorted[index - 1]?.end ?? 0))
}

const maxLevels = 4
const maxTitleLines = 3

/** For PDFs without an outline: a few lines in clearly larger type than the text of their page are a heading. */
export function headingsFromSizes(lines: PlacedLine[]): Structure {
  const body = usualSize(lines)
  const titles = [...Map.groupBy(lines, ({ page }) => page).values()].flatMap((page) => titlesOfPage(page, body))
  const sizes = [...new Set(titles.map(({ size }) => size))].sort((a, b) => b - a)
  return {
    headings: titles.map(({ size, title, start }) => ({
      level: Math.min(sizes.indexOf(size) + 1, maxLevels),
      title,
      start,
    })),
    blocks: titles.map(({ start, end }) => ({ kind: 'heading', start, end })),
  }
}

interface Title {
  size: number
  title: string
  start: number
  end: number
}

/** Consecutive lines in the same large type are one title, unless there are too many. */
function titlesOfPage(page: PlacedLine[], documentSize: number): Title[] {
  const body = Math.max(documentSize, usualSize(page))
  const titles: Title[] = []
  for (let from = 0; from < page.length; ) {
    const size = rounded(page[from]?.fontSize ?? 0)
    let to = from + 1
    while (to < page.length && rounded(page[to]?.fontSize ?? 0) === size) to++
    const group = page.slice(from, to)
    const title = group.map(({ text }) => text).join(' ')
    const [first, last] = [group[0], group.at(-1)]
    if (first && last && size >= body * 1.15 && group.length <= maxTitleLines && isTitle(title)) {
      titles.push({ size, title, start: first.start, end: last.start + last.text.length })
    }
    from = to
  }
  return titles
}

/** The size in which most characters are set. */
function usualSize(lines: PlacedLine[]): number {
  const characters = new Map<number, number>()
  for (const { fontSize, text } of lines) {
    const size = rounded(fontSize)
    characters.set(size, (characters.get(size) ?? 0) + text.length)
  }
  return [...characters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

const rounded = (fontSize: number): number => Math.round(fontSize * 2) / 2

const isTitle = (text: string): boolean => text.length <= 200 && /\p{L}{2}/u.test(text)
