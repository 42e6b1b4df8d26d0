import { isFigure } from './figures.ts'
import { isRightToLeft } from './pdf-right-to-left.ts'

/** A piece of text from pdf.js. */
export interface TextItem {
  str: string
  hasEOL: boolean
  transform: number[]
  width: number
  height: number
  fontName: string
}

/** Text and the space that it takes on its line. */
export interface Span {
  text: string
  x: number
  right: number
  /** Smaller than the rest of its line, such as a raised number. */
  isSmall?: true
}

/** Text without a wide gap in it. */
export interface Cell extends Span {
  /** Its text, divided at gaps that are wider than a space. */
  parts: Span[]
}

export interface Line {
  text: string
  cells: Cell[]
  /** From the bottom of the page. */
  y: number
  fontSize: number
  /** The font of most of its characters. */
  font: string
  /** The font of its last piece. */
  endFont: string
  /** It has raised or lowered characters, as formulas do. */
  hasSmallType: boolean
  /** Dots lead from a label to its figure. */
  hasLeader: boolean
  /** The line starts a new paragraph. */
  startsParagraph: boolean
  /** The upper end of text that is written upwards or downwards. */
  verticalTop?: number
  /** The line stands for a whole table, and its text is Markdown. */
  isTable?: true
  /** The table goes on with the one at the end of the page before. */
  continues?: boolean
}

// In multiples of the size of the type. Most spaces between words of justified text are narrower.
const cellGap = 1
const partGap = 0.45
/** Two figures with a space between them are two cells. */
const figureGap = 0.2
const smallType = 0.85

// Parts of formulas often have no other characters.
const controls = /\p{Cc}/gu

/** Joins the pieces of a page to lines. */
export function pageLines(items: TextItem[]): Line[] {
  const lines: Line[] = []
  let pieces: TextItem[] = []
  for (const item of items) {
    const piece = { ...item, str: item.str.replace(controls, '') }
    const isAside = isVertical(item)
    if (!isAside) pieces.push(piece)
    if (!item.hasEOL && !isAside) continue
    lines.push(...toLines(pieces))
    if (isAside) addVertical(lines, piece)
    pieces = []
  }
  lines.push(...toLines(pieces))
  return lines
}

function toLines(pieces: TextItem[]): Line[] {
  const drawn = pieces
    .map(({ str }) => str)
    .join('')
    .trim()
  if (drawn === '') return []
  const filled = pieces.filter(({ str }) => str.trim() !== '')
  const fontSize = filled.reduce((largest, piece) => (isUpright(piece) ? Math.max(largest, piece.height) : largest), 0)
  const cells = toCells(pieces, fontSize)
  const hasSmallType = filled.some(({ height }) => height < fontSize * smallType)
  const isReversed = !hasSmallType && !isRightToLeft(drawn) && cells.some(({ x }, at) => x < (cells[at - 1]?.x ?? x))
  if (isReversed) cells.sort((a, b) => a.x - b.x)
  return [
    {
      text: isReversed ? cells.map(({ text }) => text).join(' ') : drawn,
      cells: joinMarks(cells),
      y: filled[0]?.transform[5] ?? 0,
      fontSize,
      font: mostUsedFont(filled),
      endFont: filled.at(-1)?.fontName ?? '',
      hasSmallType,
      hasLeader: drawn.search(leader) >= 0,
      startsParagraph: false,
    },
  ]
}

function toCells(pieces: TextItem[], fontSize: number): Cell[] {
  const cells: Cell[] = []
  let space = ''
  for (const { str, transform, width, height } of pieces.flatMap(withoutLeaders).flatMap(withFiguresApart)) {
    if (str.trim() === '') {
      space ||= str
      continue
    }
    const x = transform[4] ?? 0
    const span: Span = { text: str, x, right: x + width, ...(height < fontSize * smallType && { isSmall: true }) }
    const [cell, part] = [cells.at(-1), cells.at(-1)?.parts.at(-1)]
    const gap = part ? Math.max(x - part.right, part.x - span.right) / fontSize : 0
    const isNextFigure = isSign(str.trim()) || (gap > figureGap && isValue(span))
    const areFigures = part !== undefined && isNextFigure && isFigure(part.text.trim())
    if (!cell || !part || gap > cellGap || areFigures) cells.push({ ...span, parts: [span] })
    else {
      // The raised mark of a note is not part of the figure or the year before it.
      const isNote = span.isSmall && !part.isSmall && /[\d%)]$/.test(part.text)
      const between = isNote ? ' ' : space
      extend(cell, span, between)
      if (gap > partGap) cell.parts.push(span)
      else extend(part, span, between)
    }
    space = ''
  }
  return cells.flatMap(apartFromFigures).map((cell) => ({ ...cell, text: cell.text.trim() }))
}

/** Rotated text is often large but never a heading. */
const isUpright = ({ transform: [a = 0, b = 0] }: TextItem): boolean => Math.abs(a) >= Math.abs(b)

const isVertical = ({ transform: [a = 0, b = 0] }: TextItem): boolean => Math.abs(a) < Math.abs(b) / 100

function verticalLine({ str, transform, width, height, fontName }: TextItem): Line {
  const [, b = 0, , , x = 0, y = 0] = transform
  const left = b > 0 ? x - height : x
  const bottom = b > 0 ? y : y - width
  return {
    text: str.trim(),
    cells: [joinedCell([{ text: str, x: left, right: left + height }])],
    y: bottom,
    fontSize: 0,
    font: fontName,
    endFont: fontName,
    hasSmallType: false,
    hasLeader: false,
    startsParagraph: false,
    verticalTop: bottom + width,
  }
}

/** Titles of columns have few; joining takes longer the more there are. */
const maxVerticalPieces = 200

/** Adds a piece of vertical text to the line that it goes on with. */
function addVertical(lines: Line[], piece: TextItem): void {
  if (piece.str.trim() === '') return
  const line = verticalLine(piece)
  const last = lines.at(-1)
  const [cell, before] = [line.cells[0], last?.cells[0]]
  if (last?.verticalTop === undefined || line.verticalTop === undefined || !cell || !before) {
    lines.push(line)
    return
  }
  const gap = Math.max(line.y - last.verticalTop, last.y - line.verticalTop)
  const isApart = cell.x >= before.right || before.x >= cell.right || gap > piece.height
  if (isApart || before.parts.length >= maxVerticalPieces) lines.push(line)
  else {
    last.cells = [joinedCell([...before.parts, ...cell.parts])]
    last.text = last.cells[0]?.text ?? ''
    last.y = Math.min(last.y, line.y)
    last.verticalTop = Math.max(last.verticalTop, line.verticalTop)
  }
}

const leader = /\s*(?:[.·…] ?){4,}\s*/

/** The texts beside dots that lead from one to the other, at about their places. */
function withoutLeaders(piece: TextItem): TextItem[] {
  if (piece.str.search(leader) < 0) return [piece]
  const unit = piece.width / letterUnits(piece.str)
  let [, , , , x = 0, y = 0] = piece.transform
  return piece.str.split(new RegExp(`(${leader.source})`)).flatMap((str, at) => {
    const width = letterUnits(str) * unit
    const item = { ...piece, str: at % 2 === 0 ? str : ' ', width, transform: [...piece.transform.slice(0, 4), x, y] }
    x += width
    return str === '' ? [] : [item]
  })
}

/** Letters and digits are about twice as wide as dots and spaces. */
const letterUnits = (text: string): number =>
  [...text].reduce((sum, character) => sum + (/[\p{L}\p{N}]/u.test(character) ? 2 : 1), 0)

/**
 * pdf.js joins figures of narrow columns to one text. Digits have the same width in almost every font, so that the places
 * of the figures can be told. Spaces within a number stay.
 */
function withFiguresApart(piece: TextItem): TextItem[] {
  const words = piece.str.split(' ')
  const figures = words.slice(words.findLastIndex((word) => !isFigure(word) || word.endsWith(',')) + 1)
  if (figures.length < 2 || /^\d{1,3}(?: \d{3})+$/.test(figures.join(' '))) return [piece]
  const rest = words.slice(0, words.length - figures.length).join(' ')
  const unit = piece.width / units(piece.str)
  let [, , , , x = 0, y = 0] = piece.transform
  return [rest, ...figures].filter(Boolean).flatMap((str, at) => {
    const item = { ...piece, str, width: units(str) * unit, transform: [...piece.transform.slice(0, 4), x, y] }
    x += item.width + unit
    return at === 0 ? [item] : [{ ...item, str: ' ' }, item]
  })
}

/** Digits are about twice as wide as spaces and punctuation. */
const units = (text: string): number =>
  [...text].reduce((sum, character) => sum + (/[\d\p{Sc}+]/u.test(character) ? 2 : 1), 0)

function extend(span: Span, { text, x, right }: Span, space: string): void {
  span.text += space + text
  span.x = Math.min(span.x, x)
  span.right = Math.max(span.right, right)
}

/** A figure, or the currency sign before it. */
const isValue = ({ text, isSmall }: Span): boolean => !isSmall && (isFigure(text.trim()) || isSign(text.trim()))

const isSign = (text: string): boolean => /^[\p{Sc}(]+$/u.test(text)

/** Figures at the end of a text, and the currency sign before them, are cells of their own. */
function apartFromFigures(cell: Cell): Cell[] {
  const words = cell.parts.slice(0, cell.parts.findLastIndex((part) => !isValue(part)) + 1)
  const values = cell.parts.slice(words.length).map((part) => ({ ...part, parts: [part] }))
  if (words.length === 0 || values.length === 0) return [cell]
  return [joinedCell(words), ...values]
}

/** A word with a hyphen, such as "hospital-acquired", is often divided behind it. */
const isDivided = (before: string, text: string): boolean => /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(text)

export const joinedText = (texts: string[]): string => {
  const filled = texts.filter(Boolean)
  return filled.map((text, at) => (at === 0 || isDivided(filled[at - 1] ?? '', text) ? text : ` ${text}`)).join('')
}

export const joinedCell = (parts: Span[]): Cell => ({
  text: joinedText(parts.map(({ text }) => text.trim())),
  x: Math.min(...parts.map(({ x }) => x)),
  right: Math.max(...parts.map(({ right }) => right)),
  parts,
})

/** Currency signs, brackets and bullets belong to the text beside them. */
function joinMarks(cells: Cell[]): Cell[] {
  const joined: Cell[] = []
  const areSignsBehind = isSign(cells.at(-1)?.text ?? '')
  for (const cell of cells) {
    const before = joined.at(-1)
    const isBullet = before !== undefined && joined.length === 1 && bullet.test(before.text)
    const isBehind = areSignsBehind ? isSign(cell.text) : before !== undefined && isSign(before.text)
    if (before && (isBehind || isBullet || (/^[)%]+$/.test(cell.text) && /[\d)–—-]$/.test(before.text)))) {
      const text = before.text + (isBullet || areSignsBehind ? ` ${cell.text}` : cell.text)
      const span = { text, x: before.x, right: cell.right }
      joined[joined.length - 1] = { ...span, parts: isBullet ? [...before.parts, ...cell.parts] : [span] }
    } else joined.push(cell)
  }
  return joined
}

const bullet = /^(?:[•●▪■◦○·*–-]|\(?\p{L}?\d{0,3}[.)]|\[\w{1,6}\])$/u

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
    // A line further up starts the next column, and a wider gap than usual the next paragraph.
    line.startsParagraph = gap < -line.fontSize || (gap > usual * 1.3 && gap > line.fontSize * 1.2) || otherSize
    if (line.isTable || before.isTable) line.startsParagraph = true
  })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
