import { descendant, descendants, joinedText, parseXml, type XmlElement } from './xml.ts'

const maxPoints = 100_000

interface Chart {
  title: string
  /** The names of the series, and a row for each category. Empty if the file does not have the numbers. */
  rows: string[][]
}

/** The numbers behind a chart of an Office document. */
export function readChart(xml: string): Chart {
  const chart = parseXml(xml)
  const heading = descendant(chart, 'title')
  const title = heading ? joinedText(heading, 't') : ''
  const series = [...descendants(chart, 'ser')].map((one) => ({
    name: readName(descendant(one, 'tx')),
    categories: points(descendant(one, 'cat') ?? descendant(one, 'xVal')),
    values: points(descendant(one, 'val') ?? descendant(one, 'yVal')),
  }))
  const rows: string[][] = []
  for (const [at, { categories }] of series.entries()) {
    if (at > 0 && (categories.size === 0 || series.slice(0, at).some((other) => isSame(other.categories, categories))))
      continue
    // Series without categories of their own have those of the first.
    const together = series.map((other) =>
      isSame(other.categories, categories) || (at === 0 && other.categories.size === 0) ? other.values : noPoints,
    )
    const last = Math.max(-1, ...[categories, ...together].flatMap((each) => [...each.keys()]))
    for (let index = 0; index <= last; index++) {
      const row = [categories.get(index) ?? '', ...together.map((each) => each.get(index) ?? '')]
      if (row.some(Boolean)) rows.push(row)
    }
  }
  return { title, rows: series.length > 0 ? [['', ...series.map(({ name }) => name)], ...rows] : [] }
}

/** The texts of points by their index: a file leaves out those that are empty. */
type Points = Map<number, string>

const noPoints: Points = new Map()

const isSame = (one: Points, other: Points): boolean =>
  one.size === other.size && [...one].every(([index, text]) => other.get(index) === text)

/** The texts of a series by their index. The innermost level of nested categories comes first. */
function points(element: XmlElement | undefined): Points {
  const found: Points = new Map()
  if (!element) return found
  for (const [at, point] of [...descendants(element, 'pt')].entries()) {
    const index = Number(point.attributes.idx ?? at)
    const text = [...descendants(point, 'v')].map((value) => value.text.trim()).join(' ')
    if (Number.isInteger(index) && index >= 0 && index < maxPoints)
      found.set(index, [text, found.get(index)].filter(Boolean).join(' '))
  }
  return found
}

const readName = (element: XmlElement | undefined): string =>
  element ? [...descendants(element, 'v')].map(({ text }) => text.trim()).join(' ') : ''
