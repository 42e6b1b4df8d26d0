import { descendant, descendants, joinedText, parseXml, type XmlElement } from './xml.ts'

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
  const series = [...descendants(chart, 'ser')]
  const categories = values(descendant(series[0], 'cat'))
  const columns = series.map((one) => ({
    name: values(descendant(one, 'tx')).join(' '),
    values: values(descendant(one, 'val')),
  }))
  const rows = columns[0]?.values.map((_, row) => [
    categories[row] ?? '',
    ...columns.map((column) => column.values[row] ?? ''),
  ])
  return { title, rows: rows ? [['', ...columns.map(({ name }) => name)], ...rows] : [] }
}

const values = (element: XmlElement | undefined): string[] =>
  element ? [...descendants(element, 'v')].map(({ text }) => text.trim()) : []
