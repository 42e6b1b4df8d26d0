import { type Block, DocumentError, type Heading, type Limits, type Page, type ParsedDocument } from '../document.ts'
import { TextWriter } from '../text-writer.ts'
import { Zip } from '../zip.ts'
import { officeMetadata, relationships } from './office.ts'
import { readSlide, type Slide, type SlidePart } from './pptx-slide.ts'
import { descendants, parseXml } from './xml.ts'

/** A slide is a page; its title is a heading. */
export function parsePptx(bytes: Uint8Array, limits: Limits): ParsedDocument {
  const zip = new Zip(bytes, limits)
  const writer = new TextWriter(limits.textCharacters)
  const pages: Page[] = []
  const headings: Heading[] = []
  const blocks: Block[] = []
  slideParts(zip).forEach((part, index) => {
    if (writer.length > 0) writer.write('\n\n')
    const start = writer.length
    const slide = readSlide(zip, part)
    writeSlide(writer, slide, `Slide ${index + 1}`, headings, blocks)
    pages.push({ number: index + 1, start, end: writer.length })
  })
  return { text: writer.toString(), pages, headings, blocks, metadata: officeMetadata(zip), warnings: [] }
}

function writeSlide(writer: TextWriter, slide: Slide, name: string, headings: Heading[], blocks: Block[]): void {
  const title = slide.title || (slide.parts.length > 0 ? name : '')
  if (title === '') return
  const start = writer.write(`# ${title}`)
  headings.push({ level: 1, title, start })
  blocks.push({ kind: 'heading', start, end: writer.length })
  for (const { kind, text } of slide.parts) writePart(writer, blocks, kind, text)
}

function writePart(writer: TextWriter, blocks: Block[], kind: SlidePart['kind'], text: string): void {
  writer.write('\n\n')
  const start = writer.write(text)
  blocks.push({ kind, start, end: writer.length })
}

/** The slides in the order in which they are shown. */
function slideParts(zip: Zip): string[] {
  const main = zip.names(/^ppt\/presentation\d*\.xml$/)[0]
  const xml = main && zip.text(main)
  if (!main || !xml) throw new DocumentError('broken', 'The presentation is damaged: its list of slides is missing.')
  const related = relationships(zip, main)
  const listed = [...descendants(parseXml(xml), 'sldId')].flatMap(({ attributes }) => {
    const target = related.get(attributes['r:id'] ?? '')?.target
    return target && zip.has(target) ? [target] : []
  })
  return listed.length > 0 ? listed : zip.names(/^ppt\/slides\/slide\d+\.xml$/).sort(byNumber)
}

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })
