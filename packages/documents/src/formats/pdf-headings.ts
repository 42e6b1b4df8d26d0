import type { Block, Heading } from '../document.ts'
import type { Line } from './pdf-lines.ts'

/** A line of the whole document. */
export interface PlacedLine extends Line {
  start: number
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
const maxTitleLength = 120
/** In a font of their own, titles are a small part of a document. */
const maxTitleShare = 0.2

/** For PDFs without an outline: a few lines in larger type than the text, or in a font of their own, are a heading. */
export function headingsFromType(lines: PlacedLine[]): Structure {
  const words = lines.filter(({ isTable }) => !isTable)
  const type = usualType(words)
  const titles = [...Map.groupBy(lines, ({ page }) => page).values()].flatMap((page) => titlesOfPage(page, type))
  const styles = [...new Set(titles.map(({ style }) => style))].sort(byRank)
  return {
    headings: titles.map(({ style, title, start }) => ({
      level: Math.min(styles.indexOf(style) + 1, maxLevels),
      title,
      start,
    })),
    blocks: titles.map(({ start, end }) => ({ kind: 'heading', start, end })),
  }
}

interface Title {
  /** Its size, and whether it is set in capitals. */
  style: string
  title: string
  start: number
  end: number
}

/** The size of most characters, and the fonts of running text. */
interface UsualType {
  size: number
  fonts: Set<string>
}

/** Consecutive lines in the same type are one title, unless there are too many. */
function titlesOfPage(page: PlacedLine[], document: UsualType): Title[] {
  const body = Math.max(document.size, usualType(page).size)
  const titles: Title[] = []
  for (let from = 0; from < page.length; ) {
    let to = from + 1
    while (to < page.length && sameType(page[from], page[to])) to++
    const group = page.slice(from, to)
    const [first, last] = [group[0], group.at(-1)]
    if (first && last && group.length <= maxTitleLines && isTitle(group, page[to], body, document.fonts)) {
      const title = group.map(({ text }) => text).join(' ')
      const isCapitals = title === title.toUpperCase() && /\p{Lu}{3}/u.test(title)
      const style = `${rounded(first.fontSize)} ${isCapitals ? 'capitals' : ''}`
      titles.push({ style, title, start: first.start, end: last.start + last.text.length })
    }
    from = to
  }
  return titles
}

const sameType = (a: PlacedLine | undefined, b: PlacedLine | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  !b.isTable &&
  !a.isTable &&
  a.font === b.font &&
  rounded(a.fontSize) === rounded(b.fontSize)

function isTitle(group: PlacedLine[], next: PlacedLine | undefined, body: number, fonts: Set<string>): boolean {
  const [first] = group
  const title = group.map(({ text }) => text).join(' ')
  if (!first || first.isTable || !/\p{L}{2}/u.test(title)) return false
  if (rounded(first.fontSize) >= body * 1.15) return title.length <= 200
  const isOwnFont = !fonts.has(first.font) && rounded(first.fontSize) >= body * 0.95
  const looksLikeOne = title.length <= maxTitleLength && /^[\p{Lu}\p{Lo}\d]/u.test(title) && !/[.,;:]$/.test(title)
  return isOwnFont && looksLikeOne && first.startsParagraph && next !== undefined && !next.isTable
}

function usualType(lines: PlacedLine[]): UsualType {
  const bySize = new Map<number, number>()
  const byFont = new Map<string, number>()
  let total = 0
  for (const { fontSize, font, text } of lines) {
    const size = rounded(fontSize)
    bySize.set(size, (bySize.get(size) ?? 0) + text.length)
    byFont.set(font, (byFont.get(font) ?? 0) + text.length)
    total += text.length
  }
  const fonts = [...byFont].filter(([, characters]) => characters > total * maxTitleShare).map(([font]) => font)
  return { size: [...bySize].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0, fonts: new Set(fonts) }
}

/** Larger type first, capitals before others. */
const byRank = (a: string, b: string): number =>
  Number.parseFloat(b) - Number.parseFloat(a) || Number(b.endsWith('capitals')) - Number(a.endsWith('capitals'))

const rounded = (fontSize: number): number => Math.round(fontSize * 2) / 2
