/** A piece of text from pdf.js. */
export interface TextItem {
  str: string
  hasEOL: boolean
  transform: number[]
  width: number
  height: number
  fontName: string
}

/** Text without a wide gap in it. */
export interface Cell {
  text: string
  x: number
  right: number
}

export interface Line {
  text: string
  cells: Cell[]
  /** From the bottom of the page. */
  y: number
  fontSize: number
  /** The font of most of its characters. */
  font: string
  /** The line starts a new paragraph. */
  startsParagraph: boolean
  /** The line stands for a whole table, and its text is Markdown. */
  isTable?: true
}

// In multiples of the size of the type. Most spaces between words of justified text are narrower.
const cellGap = 1

// Parts of formulas often have no other characters.
const controls = /\p{Cc}/gu

/** Joins the pieces of a page to lines. */
export function pageLines(items: TextItem[]): Line[] {
  const lines: Line[] = []
  let pieces: TextItem[] = []
  for (const item of items) {
    pieces.push({ ...item, str: item.str.replace(controls, '') })
    if (!item.hasEOL) continue
    lines.push(...lineOf(pieces))
    pieces = []
  }
  lines.push(...lineOf(pieces))
  return lines
}

function lineOf(pieces: TextItem[]): Line[] {
  const text = pieces
    .map(({ str }) => str)
    .join('')
    .trim()
  if (text === '') return []
  const filled = pieces.filter(({ str }) => str.trim() !== '')
  const fontSize = filled.reduce((largest, piece) => (isUpright(piece) ? Math.max(largest, piece.height) : largest), 0)
  return [
    {
      text,
      cells: cellsOf(pieces, fontSize),
      y: filled[0]?.transform[5] ?? 0,
      fontSize,
      font: mostUsedFont(filled),
      startsParagraph: false,
    },
  ]
}

/** Rotated text is often large but never a heading. */
const isUpright = ({ transform: [a = 0, b = 0] }: TextItem): boolean => Math.abs(a) >= Math.abs(b)

function cellsOf(pieces: TextItem[], fontSize: number): Cell[] {
  const cells: Cell[] = []
  let space = ''
  for (const { str, transform, width } of pieces) {
    if (str.trim() === '') {
      space ||= str
      continue
    }
    const x = transform[4] ?? 0
    const last = cells.at(-1)
    if (last && x - last.right <= fontSize * cellGap) {
      last.text += space + str
      last.right = Math.max(last.right, x + width)
    } else cells.push({ text: str, x, right: x + width })
    space = ''
  }
  return cells.map((cell) => ({ ...cell, text: cell.text.trim() })).reduce(joinMarks, [])
}

/** Currency signs, brackets and bullets belong to the text beside them. */
function joinMarks(cells: Cell[], cell: Cell): Cell[] {
  const before = cells.at(-1)
  const isCurrency = before !== undefined && /^[\p{Sc}(]+$/u.test(before.text)
  const isBullet =
    before !== undefined && cells.length === 1 && /^(?:[•●▪■◦○·*–-]|\(?\p{L}?\d{0,3}[.)])$/u.test(before.text)
  if (before && (isCurrency || isBullet || /^[)%]+$/.test(cell.text))) {
    before.text += isBullet ? ` ${cell.text}` : cell.text
    before.right = cell.right
    return cells
  }
  cells.push(cell)
  return cells
}

function mostUsedFont(pieces: TextItem[]): string {
  const characters = new Map<string, number>()
  for (const { fontName, str } of pieces) characters.set(fontName, (characters.get(fontName) ?? 0) + str.length)
  return [...characters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}

/** Finds paragraphs by the gaps between lines. */
export function markParagraphs(lines: Line[]): void {
  const gaps = lines.slice(1).map((line, index) => (lines[index]?.y ?? 0) - line.y)
  const usual = median(gaps.filter((gap) => gap > 0))
  lines.forEach((line, index) => {
    const before = lines[index - 1]
    const gap = gaps[index - 1] ?? 0
    if (!before) {
      line.startsParagraph = true
      return
    }
    const otherSize = Math.abs(line.fontSize - before.fontSize) > 0.15 * Math.max(line.fontSize, before.fontSize)
    // Upwards is the next column; a wider gap than usual is the next paragraph.
    line.startsParagraph = gap < -line.fontSize || (gap > usual * 1.3 && gap > line.fontSize * 1.2) || otherSize
    if (line.isTable || before.isTable) line.startsParagraph = true
  })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
