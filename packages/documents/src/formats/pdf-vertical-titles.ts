import { joinedCell, type Line } from './pdf-lines.ts'

// In multiples of the size of the type.
const linePitch = 1.4
const maxDistance = 3
/** A page with more is a drawing or a map. */
const maxTitles = 200

/** Joins the titles of columns that are written upwards or downwards to one line above the first row. */
export function withVerticalTitles(lines: Line[]): Line[] {
  const vertical = lines.filter(isVertical)
  if (vertical.length > maxTitles) return lines
  const result = [...lines]
  for (let first = vertical.shift(); first; first = vertical.shift()) {
    const [bottom, top] = [first.y, first.verticalTop ?? 0]
    const others = vertical.filter(({ y, verticalTop = 0 }) => y < top && bottom < verticalTop)
    for (const other of others) vertical.splice(vertical.indexOf(other), 1)
    if (others.length > 0) joinTitles(result, [first, ...others])
  }
  return result
}

const isVertical = ({ verticalTop }: Line): boolean => verticalTop !== undefined

function joinTitles(lines: Line[], titles: Line[]): void {
  const cells = titles.flatMap((title) => title.cells)
  const size = Math.min(...cells.map(({ x, right }) => right - x))
  const bottom = Math.min(...titles.map(({ y }) => y))
  const top = Math.max(...titles.map(({ verticalTop = 0 }) => verticalTop))
  const area = joinedCell(cells)
  const isWithin = (line: Line) => line.cells.some(({ x, right }) => x < area.right && area.x < right)
  const upright = lines.filter((line) => !isVertical(line))
  const below = upright.find((line) => isWithin(line) && line.y < bottom && bottom - line.y < maxDistance * size)
  if (!below) return
  // The title of the labels is often upright.
  const beside = upright.filter(({ y }) => y > bottom - size && y < top)
  const [label] = beside.length === 1 && !beside.some(isWithin) ? beside : []
  const own = [...(label?.cells ?? []), ...linesJoined(cells, size)].sort((a, b) => a.x - b.x)
  for (const line of [...titles, label]) if (line) lines.splice(lines.indexOf(line), 1)
  const text = own.map((cell) => cell.text).join(' ')
  const { verticalTop: _, ...title } = titles[0] as Line
  lines.splice(lines.indexOf(below), 0, { ...title, text, cells: own, y: bottom, fontSize: size })
}

/** Joins the lines of each title, which stand beside each other. */
function linesJoined(cells: Line['cells'], size: number): Line['cells'] {
  const joined: Line['cells'] = []
  for (const cell of cells) {
    const last = joined.at(-1)
    const isNext = last?.parts.some(({ x }) => Math.abs(x - cell.x) < linePitch * size)
    if (last && isNext) joined[joined.length - 1] = joinedCell([...last.parts, ...cell.parts])
    else joined.push(cell)
  }
  return joined
}
