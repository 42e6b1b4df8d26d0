import { crc32, deflateRawSync } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'

// Small files of every format, made in code, so that tests say all of what they read.

export const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))

/** Compressed by the native library, because some files are large. */
export const makeZip = (entries: Record<string, string | Uint8Array>): Uint8Array => {
  const parts: Uint8Array[] = []
  const zip = new Zip((_, part) => parts.push(part))
  for (const [filename, given] of Object.entries(entries)) {
    const content = Buffer.from(given)
    const file: ZipInputFile = { filename, size: content.length, crc: crc32(content), compression: 8 }
    zip.add(file)
    file.ondata?.(null, new Uint8Array(deflateRawSync(content, { level: 1 })), true)
  }
  zip.end()
  return new Uint8Array(Buffer.concat(parts))
}

export interface PdfLine {
  text: string
  y: number
  x?: number
  size?: number
  isBold?: boolean
  /** Written upwards. */
  isVertical?: boolean
}

/** A PDF whose pages hold the given lines; `outline` names the pages of a table of contents. */
export function makePdf(
  pages: (string | PdfLine[])[],
  more: { outline?: { title: string; page: number }[]; encrypted?: boolean; title?: string } = {},
): Uint8Array {
  const objects: string[] = []
  const add = (object: string): number => objects.push(object)
  const reserve = (count: number) => Array.from({ length: count }, () => add(''))
  const [catalog = 0, tree = 0, font = 0, bold = 0, info = 0] = reserve(5)
  const pageIds = pages.map((page) => {
    const lines = typeof page === 'string' ? (page === '' ? [] : [{ text: page, y: 700 }]) : page
    const content = lines
      .map(
        ({ text, x = 72, y, size = 12, isBold, isVertical }) =>
          `BT /${isBold ? 'B' : 'F'} ${size} Tf ${isVertical ? '0 1 -1 0' : '1 0 0 1'} ${x} ${y} Tm (${text}) Tj ET`,
      )
      .join('\n')
    const stream = add(`<</Length ${content.length}>>stream\n${content}\nendstream`)
    return add(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F ${font} 0 R/B ${bold} 0 R>>>>/Contents ${stream} 0 R>>`,
    )
  })
  objects[font - 1] = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
  objects[bold - 1] = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>'
  objects[info - 1] = `<</Title(${more.title ?? ''})>>`
  objects[tree - 1] = `<</Type/Pages/Count ${pages.length}/Kids[${pageIds.map((id) => `${id} 0 R`).join(' ')}]>>`
  objects[catalog - 1] = `<</Type/Catalog/Pages ${tree} 0 R${addOutline(more.outline ?? [], pageIds, objects)}>>`
  const key = Buffer.alloc(32, 'x').toString('hex')
  const encrypt = more.encrypted ? `/Encrypt<</Filter/Standard/V 1/R 2/O<${key}>/U<${key}>/P -4>>/ID[<00><00>]` : ''
  return toBytes(withCrossReferences(objects, `/Root ${catalog} 0 R/Info ${info} 0 R${encrypt}`))
}

/** A PDF with one line of glyphs that stand for letters of any alphabet, in hexadecimal UTF-16. */
export function pdfWithLetters(letters: string[]): Uint8Array {
  const code = (at: number) => (0x61 + at).toString(16)
  const pairs = letters.map((letter, at) => `<${code(at)}> <${letter}>`).join(' ')
  const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${letters.length} beginbfchar ${pairs} endbfchar endcmap`
  const content = `BT /F 12 Tf 72 700 Td <${letters.map((_, at) => code(at)).join('')}> Tj ET`
  const stream = (text: string) => `<</Length ${text.length}>>stream\n${text}\nendstream`
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>'
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>'
  const tree = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[3 0 R]>>']
  return toBytes(withCrossReferences([...tree, page, font, stream(content), stream(map)], '/Root 1 0 R'))
}

function addOutline(outline: { title: string; page: number }[], pageIds: number[], objects: string[]): string {
  if (outline.length === 0) return ''
  const root = objects.length + 1
  const id = (index: number) => root + 1 + index
  objects.push(`<</Type/Outlines/First ${id(0)} 0 R/Last ${id(outline.length - 1)} 0 R/Count ${outline.length}>>`)
  outline.forEach(({ title, page }, index) => {
    const next = index + 1 < outline.length ? `/Next ${id(index + 1)} 0 R` : ''
    objects.push(`<</Title(${title})/Parent ${root} 0 R/Dest[${pageIds[page - 1]} 0 R/Fit]${next}>>`)
  })
  return `/Outlines ${root} 0 R`
}

/** A PDF of the given objects, numbered from 1. */
export function withCrossReferences(objects: string[], trailer: string): string {
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}${trailer}>>\nstartxref\n${file.length}\n%%EOF`
}

const relationshipsXml = (relationships: Record<string, [type: string, target: string]>): string => {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const list = Object.entries(relationships).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`
}

const contentTypes = (parts: Record<string, string>): string => {
  const list = Object.entries(parts).map(
    ([part, type]) =>
      `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  )
  const types = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types}${list.join('')}</Types>`
}

const core = (title: string, author: string): string =>
  `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator></cp:coreProperties>`

const word =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'

/** `body` is WordprocessingML; `document` replaces all of the main part. */
export const makeDocx = (
  body: string,
  document = `<w:document ${word}><w:body>${body}</w:body></w:document>`,
): Uint8Array =>
  makeZip({
    '[Content_Types].xml': contentTypes({ 'word/document.xml': 'wordprocessingml.document.main' }),
    '_rels/.rels': relationshipsXml({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': document,
    'docProps/core.xml': core('Annual report', 'Ada Example'),
  })

export const wordParagraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

export const wordTable = (rows: string[][]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`

const slideNames = 'xmlns:p="p" xmlns:a="a" xmlns:r="r" xmlns:c="c"'

export interface SlideFixture {
  title?: string
  lines?: string[]
  table?: string[][]
  notes?: string
}

export function makePptx(slides: SlideFixture[]): Uint8Array {
  const entries: Record<string, string> = {
    'docProps/core.xml': core('A talk', 'Ada Example'),
    // The order of the list counts, not that of the names: the parts are numbered from the last.
    'ppt/presentation.xml': `<p:presentation ${slideNames}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationshipsXml(
      Object.fromEntries(
        slides.map((_, index) => [`rId${index}`, ['slide', `slides/slide${slides.length - index}.xml`]]),
      ),
    ),
  }
  slides.forEach((slide, index) => {
    const number = slides.length - index
    entries[`ppt/slides/slide${number}.xml`] = slideXml(slide)
    if (!slide.notes) return
    entries[`ppt/slides/_rels/slide${number}.xml.rels`] = relationshipsXml({
      rId1: ['notesSlide', `../notesSlides/n${number}.xml`],
    })
    entries[`ppt/notesSlides/n${number}.xml`] = `<p:notes ${slideNames}>${shape([slide.notes], 'body')}</p:notes>`
  })
  return makeZip(entries)
}

function slideXml({ title, lines, table }: SlideFixture): string {
  const rows = table?.map(
    (row) => `<a:tr>${row.map((cell) => `<a:tc><a:txBody>${drawn(cell)}</a:txBody></a:tc>`).join('')}</a:tr>`,
  )
  const frame = rows
    ? `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
    : ''
  const shapes = `${lines ? shape(lines) : ''}${title ? shape([title], 'title') : ''}${frame}${shape(['7'], 'sldNum')}`
  return `<p:sld ${slideNames}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
}

const drawn = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`

const shape = (lines: string[], kind?: string): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind ? `<p:ph type="${kind}"/>` : ''}</p:nvPr></p:nvSpPr><p:txBody>${lines.map(drawn).join('')}</p:txBody></p:sp>`

/** Sheets by name; a row may be far from the one before when it is given with its number. */
export function makeXlsx(
  sheets: Record<string, { row: number; cells: Record<string, string | number> }[]>,
  hidden: string[] = [],
): Uint8Array {
  const names = Object.keys(sheets)
  const entries: Record<string, string> = {
    '[Content_Types].xml': contentTypes({
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      ...Object.fromEntries(
        names.map((_, index) => [`xl/worksheets/sheet${index + 1}.xml`, 'spreadsheetml.worksheet']),
      ),
    }),
    '_rels/.rels': relationshipsXml({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/_rels/workbook.xml.rels': relationshipsXml(
      Object.fromEntries(
        names.map((_, index) => [`rId${index + 1}`, ['worksheet', `worksheets/sheet${index + 1}.xml`]]),
      ),
    ),
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
  }
  names.forEach((name, index) => {
    const rows = (sheets[name] ?? []).map(
      ({ row, cells }) =>
        `<row r="${row}">${Object.entries(cells)
          .map(([column, value]) => cellXml(`${column}${row}`, value))
          .join('')}</row>`,
    )
    entries[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows.join('')}</sheetData></worksheet>`
  })
  return makeZip(entries)
}

const cellXml = (reference: string, value: string | number): string =>
  typeof value === 'number'
    ? `<c r="${reference}"><v>${value}</v></c>`
    : `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`

export interface ChapterFixture {
  file: string
  html: string
  /** In the table of contents. */
  title?: string
}

export function makeEpub(chapters: ChapterFixture[], more: Record<string, string> = {}): Uint8Array {
  const items = chapters.map(
    ({ file }, index) =>
      `<item id="c${index}" href="text/${encodeURIComponent(file)}" media-type="application/xhtml+xml"/>`,
  )
  const points = chapters
    .filter(({ title }) => title)
    .map(
      ({ file, title }) =>
        `<navPoint><navLabel><text>${title}</text></navLabel><content src="text/${encodeURIComponent(file)}#top"/></navPoint>`,
    )
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book/content.opf"/></rootfiles></container>',
    'book/content.opf': `<package xmlns:dc="d"><metadata><dc:title>The book</dc:title><dc:creator>Ada Example</dc:creator></metadata><manifest>${items.join('')}<item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="toc">${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    'book/toc.ncx': `<ncx><navMap>${points.join('')}</navMap></ncx>`,
    ...Object.fromEntries(
      chapters.map(({ file, html }) => [
        `book/text/${file}`,
        `<html><head><title>x</title></head><body>${html}</body></html>`,
      ]),
    ),
    ...more,
  })
}

/** The entities of "a billion laughs": ten lines that mean three gigabytes. */
export const billionLaughs = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
).join('')}]>`

let boundaries = 0

/** A mail with a plain text and attachments. A text that starts with `From:` is an attached message. */
export function makeMail(text: string, attachments: Record<string, string | Uint8Array> = {}): string {
  const boundary = `cut-${++boundaries}`
  const parts = Object.entries(attachments).map(([name, content]) => {
    const disposition = `Content-Disposition: attachment; filename="${name}"`
    return typeof content === 'string' && content.startsWith('From:')
      ? `Content-Type: message/rfc822\r\n${disposition}\r\n\r\n${content}`
      : `Content-Type: application/octet-stream\r\n${disposition}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}`
  })
  const all = [`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`, ...parts]
  const head = `From: Ada <ada@example.org>\r\nSubject: Mail\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=${boundary}`
  return `${head}\r\n\r\n${all.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
}
