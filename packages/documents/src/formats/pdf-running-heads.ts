import type { Line } from './pdf-lines.ts'

const edgeLines = 3
const minPages = 3
const minShare = 0.2
/** This many repetitions are enough in long documents, where each chapter has its own running head. */
const enoughPages = 8

/** Removes page numbers, and running heads after their first page. Lines in which other numbers change are content. */
export function withoutRunningHeads(pages: Line[][]): Line[][] {
  const counts = new Map<string, number>()
  for (const [index, lines] of pages.entries()) {
    const keys = new Set([...findEdgeLines(lines)].flatMap((line) => [exactKey(line), ...numberKeys(line, index)]))
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const wanted = Math.max(minPages, Math.min(enoughPages, pages.length * minShare))
  const isFrequent = (key: string) => (counts.get(key) ?? 0) >= wanted
  const seen = new Set<string>()
  const isRepeated = (line: Line): boolean => {
    const key = exactKey(line)
    if (!isFrequent(key)) return false
    if (seen.has(key)) return true
    seen.add(key)
    return false
  }
  return pages.map((lines, index) => {
    const edges = findEdgeLines(lines)
    const isRunning = (line: Line) => numberKeys(line, index).some(isFrequent) || isRepeated(line)
    const rest = lines.filter((line) => !edges.has(line) || !isRunning(line))
    return rest.length > 0 ? rest : lines
  })
}

/** The lines nearest to the upper and lower edge, without the column titles of tables, which also repeat on every page. */
function findEdgeLines(lines: Line[]): Set<Line> {
  const byHeight = lines.toSorted((a, b) => a.y - b.y)
  const edges = [...byHeight.slice(0, edgeLines), ...byHeight.slice(-edgeLines)]
  return new Set(edges.filter(({ cells, text }) => cells.length < 3 || /\d/.test(text)))
}

const roundHeight = ({ y }: Line): number => Math.round(y / 6)

const exactKey = (line: Line): string => `${roundHeight(line)} ${line.text.replace(/\s+/g, ' ')}`

const pageNumber = /^(\D{0,12})(\d{1,5})(?:\s*(?:of|von|de|\/)\s*\d{1,5})?\D{0,3}$/i
const beforeTitle = /^(?<number>\d{1,5})\s+(?<title>\S.*)$/
const afterTitle = /^(?<title>.*\S)\s+(?<number>\d{1,5})$/

/** Keys that are equal on all pages with consecutive numbers and the same title. */
function numberKeys(line: Line, index: number): string[] {
  const { text } = line
  const alone = pageNumber.exec(text)
  if (alone) return [`number ${alone[1]} ${Number(alone[2]) - index}`]
  if (/^[ivxlc]{1,8}$/i.test(text)) return [`${roundHeight(line)} roman`]
  return [beforeTitle.exec(text), afterTitle.exec(text)].flatMap((match) => {
    const { number, title } = match?.groups ?? {}
    return number === undefined ? [] : [`${roundHeight(line)} ${title} ${Number(number) - index}`]
  })
}
