import { deflateSync } from 'node:zlib'
import { withCrossReferences } from './documents.ts'

// Small PDFs that are made to be slow or large.

const binary = (objects: string[]): Uint8Array =>
  new Uint8Array(Buffer.from(withCrossReferences(objects, '/Root 1 0 R'), 'latin1'))

const makeStream = (dictionary: string, content: string): string =>
  `<<${dictionary}/Length ${content.length}>>stream\n${content}\nendstream`

const font = '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>'

interface FormOptions {
  isDeflated?: boolean
  hasIndirectResources?: boolean
  /** The deepest form draws the first one. */
  isCircular?: boolean
}

/** A page that draws a form, which draws the next form `times` times, and so on for `levels`. The last one has text. */
export function pdfWithForms(levels: number, times: number, options: FormOptions = {}): Uint8Array {
  const first = 5
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</X ${first} 0 R>>>>/Contents 4 0 R>>`,
    makeStream('', '/X Do'),
  ]
  for (let level = 0; level <= levels; level++) {
    const isLast = level === levels
    const next = isLast ? first : first + 2 * (level + 1)
    const resources = isLast && !options.isCircular ? `<<${font}>>` : `<<${font}/XObject<</X ${next} 0 R>>>>`
    const text = isLast ? 'BT /F 12 Tf 72 700 Td (Deepest text) Tj ET\n' : ''
    const content = text + (isLast && !options.isCircular ? '' : '/X Do\n'.repeat(times))
    const own = options.hasIndirectResources ? `${first + 2 * level + 1} 0 R` : resources
    const filter = options.isDeflated ? '/Filter/FlateDecode' : ''
    const data = options.isDeflated ? deflateSync(content).toString('latin1') : content
    objects.push(makeStream(`/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources ${own}${filter}`, data), resources)
  }
  return binary(objects)
}

/** A page whose content is compressed twice. */
export function pdfWithTwiceDeflatedPage(bytes: number): Uint8Array {
  const data = deflateSync(deflateSync(Buffer.alloc(bytes, ' '))).toString('latin1')
  return binary([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>',
    makeStream('/Filter[/FlateDecode /FlateDecode]', data),
  ])
}

/** One page that stands in the page tree any number of times. */
export function pdfWithPageCount(count: number): Uint8Array {
  return binary([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${'3 0 R '.repeat(count)}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>',
    makeStream('', ''),
  ])
}
