import mammoth from 'mammoth'
import { damaged, type Limits, type ParsedDocument } from '../document.ts'
import { pack, Zip } from '../zip.ts'
import { withChartTables } from './docx-charts.ts'
import { withPlainEquations } from './docx-equations.ts'
import { withHeadingNumbers } from './docx-numbers.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { markdownDocument } from './markdown.ts'
import { officeMetadata } from './office.ts'

const styles = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh", 'comment-reference => sup']

export async function parseDocx(bytes: Uint8Array, limits: Limits): Promise<ParsedDocument> {
  const zip = new Zip(bytes, limits)
  // Only text is needed, so pictures and fonts are left out.
  const parts = zip.unpack((name) => /\.(?:xml|rels)$/i.test(name))
  for (const [name, part] of Object.entries(parts)) {
    if (/^word\/[^/]+\.xml$/.test(name)) parts[name] = withPlainEquations(part)
  }
  const main = parts['word/document.xml']
  if (main) parts['word/document.xml'] = withChartTables(withHeadingNumbers(main, zip), zip)
  const html = await convert(Buffer.from(pack(parts)))
  const { markdown, warnings } = markdownFromHtml(html)
  return markdownDocument(markdown, officeMetadata(zip), warnings)
}

async function convert(buffer: Buffer): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      { styleMap: styles, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
    )
    // Notes and comments end with a link back to their place.
    return withCheckboxes(value).replace(/\s*<a href="#[^"]*-ref-[^"]*">↑<\/a>/g, '')
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw damaged('Word document', error)
  }
}

/** Checkboxes are no text, and would be lost with other form fields. */
const withCheckboxes = (html: string): string =>
  html.replace(/<input type="checkbox"([^>]*)>/g, (_, more: string) => (more.includes('checked') ? '[x] ' : '[ ] '))
