/** A piece of text from pdf.js. */
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
  /** The line starts a new paragraph. */
  startsParagraph: boolean
}

/** Joins the pieces of a page to lines and finds paragraphs by the gaps between lines. */
export function pageLines(items: TextItem[]): Line[] {
  const lines: Line[] = []
  let text = ''
  let y: number | undefined
  let fontSize = 0
  const finish = () => {
    if (text.trim() !== '') lines.push({ text: text.trim(), y: y ?? 0, fontSize, startsParagraph: false })
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

/** Rotated text is often large but never a heading. */
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
    line.startsParagraph = gap < -line.fontSize || (gap > usual * 1.3 && gap > line.fontSize * 1.2) || otherSize
  })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The text of the lines with the start of each. Words hyphenated at line ends are joined. */
export function joinLines(lines: Line[]): { text: string; starts: number[] } {
  const starts: number[] = []
  let text = ''
  lines.forEach((line, index) => {
    if (index > 0) {
      const divided = !line.startsParagraph && /\p{L}{2}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(line.text)
      if (divided) text = text.slice(0, -1)
      else text += line.startsParagraph ? '\n\n' : '\n'
    }
    starts.push(text.length)
    text += line.text
  })
  return { text, starts }
}
