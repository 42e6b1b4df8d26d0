/** A piece of text as the PDF reader gives it. */
export interface TextItem {
  str: string
  hasEOL: boolean
  transform: number[]
  height: number
}

export interface Line {
  text: string
  /** From the bottom of the page. */
  y: number
  fontSize: number
  /** Whether something other than the next line of a paragraph came before. */
  apart: boolean
}

/** Puts the pieces of a page together to lines and finds the gaps that separate paragraphs. */
export function pageLines(items: TextItem[]): Line[] {
  const lines: Line[] = []
  let text = ''
  let y: number | undefined
  let fontSize = 0
  const finish = () => {
    if (text.trim() !== '') lines.push({ text: text.trim(), y: y ?? 0, fontSize, apart: false })
    text = ''
    y = undefined
    fontSize = 0
  }
  for (const item of items) {
    text += item.str
    if (item.str.trim() !== '') {
      y ??= item.transform[5] ?? 0
      if (isUpright(item)) fontSize = Math.max(fontSize, item.height)
    }
    if (item.hasEOL) finish()
  }
  finish()
  markGaps(lines)
  return lines
}

/** Text along the edge of a page is often large, but never a heading. */
const isUpright = ({ transform: [a = 0, b = 0] }: TextItem): boolean => Math.abs(a) >= Math.abs(b)

function markGaps(lines: Line[]): void {
  const gaps = lines.slice(1).map((line, index) => (lines[index]?.y ?? 0) - line.y)
  const usual = median(gaps.filter((gap) => gap > 0))
  lines.forEach((line, index) => {
    const before = lines[index - 1]
    const gap = gaps[index - 1] ?? 0
    if (!before) return
    const otherSize = Math.abs(line.fontSize - before.fontSize) > 0.15 * Math.max(line.fontSize, before.fontSize)
    // Upwards is the next column; a wider gap than usual is the next paragraph.
    line.apart = gap < -line.fontSize || (gap > usual * 1.3 && gap > line.fontSize * 1.2) || otherSize
  })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The lines as running text, with where each of them begins; words that were divided at a line end are whole again. */
export function joinLines(lines: Line[]): { text: string; starts: number[] } {
  const starts: number[] = []
  let text = ''
  lines.forEach((line, index) => {
    if (index > 0) {
      const divided = !line.apart && /\p{L}{2}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(line.text)
      if (divided) text = text.slice(0, -1)
      else text += line.apart ? '\n\n' : '\n'
    }
    starts.push(text.length)
    text += line.text
  })
  return { text, starts }
}
