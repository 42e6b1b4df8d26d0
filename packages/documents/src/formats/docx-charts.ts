import { decodeXml, type Zip } from '../zip.ts'
import { readChart } from './charts.ts'
import { run } from './docx-equations.ts'
import { relationships } from './office.ts'

const main = 'word/document.xml'

/** Writes the title and the numbers of each chart behind its paragraph, because mammoth drops drawings. */
export function withChartTables(part: Uint8Array<ArrayBuffer>, zip: Zip): Uint8Array<ArrayBuffer> {
  if (!Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes('<c:chart ')) return part
  const related = relationships(zip, main)
  let charts = ''
  const xml = decodeXml(part).replace(/<c:chart [^>]*\br:id="([^"]*)"[^>]*>|<\/w:p>/g, (found, id?: string) => {
    if (id !== undefined) charts += chartXml(zip.text(related.get(id)?.target ?? '') ?? '')
    else if (charts !== '') {
      const written = found + charts
      charts = ''
      return written
    }
    return found
  })
  return Buffer.from(xml)
}

function chartXml(xml: string): string {
  const { title, rows } = readChart(xml)
  const cells = (row: string[]) => row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')
  const table = rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')
  return (title && paragraph(`Chart: ${title}`)) + (table && `<w:tbl>${table}</w:tbl>`)
}

const paragraph = (text: string): string => `<w:p>${run(text)}</w:p>`
