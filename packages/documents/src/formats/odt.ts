import { Parser } from 'htmlparser2'
import { DocumentError, type Limits, type ParsedDocument } from '../document.ts'
import { Zip } from '../zip.ts'
import { markdownFromHtml } from './html-to-markdown.ts'
import { markdownDocument } from './markdown.ts'
import { openDocumentMetadata } from './open-document.ts'

const maxDepth = 500
const maxRepeats = 50

/** Word processing documents of LibreOffice and others, by way of HTML, which has the same parts. */
export function parseOdt(bytes: Uint8Array, limits: Limits): ParsedDocument {
  const zip = new Zip(bytes, limits)
  const content = zip.text('content.xml')
  if (content === undefined) throw new DocumentError('broken', 'The document is damaged: its content is missing.')
  const { markdown, warnings } = markdownFromHtml(toHtml(content))
  return markdownDocument(markdown, openDocumentMetadata(zip), warnings)
}

type Attributes = Record<string, string>

const elements = new Map<string, (attributes: Attributes) => { open: string; close: string }>(
  Object.entries({
    'text:h': (attributes) => {
      const level = Math.min(Math.max(Math.trunc(Number(attributes['text:outline-level'])) || 1, 1), 6)
      return { open: `<h${level}>`, close: `</h${level}>` }
    },
    'text:p': () => ({ open: '<p>', close: '</p>' }),
    'text:list': () => ({ open: '<ul>', close: '</ul>' }),
    'text:list-item': () => ({ open: '<li>', close: '</li>' }),
    'table:table': () => ({ open: '<table>', close: '</table>' }),
    'table:table-header-rows': () => ({ open: '<thead>', close: '</thead>' }),
    'table:table-row': () => ({ open: '<tr>', close: '</tr>' }),
    'table:table-cell': (attributes) => ({
      open: `<td colspan="${readSpan(attributes, 'columns')}" rowspan="${readSpan(attributes, 'rows')}">`,
      close: '</td>',
    }),
    'text:s': (attributes) => ({ open: ' '.repeat(repeats(attributes['text:c'])), close: '' }),
    'text:tab': () => ({ open: ' ', close: '' }),
    'text:line-break': () => ({ open: '<br>', close: '' }),
    'text:note-body': () => ({ open: ' (', close: ')' }),
    'office:annotation': () => ({ open: ' (Comment: ', close: ')' }),
  }),
)

const leftOut = new Set([
  'text:tracked-changes',
  'text:note-citation',
  'text:sequence-decls',
  'office:forms',
  'svg:desc',
])

const readSpan = (attributes: Attributes, of: 'columns' | 'rows'): number =>
  repeats(attributes[`table:number-${of}-spanned`] ?? attributes[`table:number-${of}-repeated`])

const repeats = (count: string | undefined): number => Math.max(1, Math.min(Math.trunc(Number(count)) || 1, maxRepeats))

function toHtml(xml: string): string {
  const parts: string[] = []
  const closing: string[] = []
  let hidden = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (closing.length > maxDepth) throw new DocumentError('too_complex', 'The document is nested too deeply.')
        if (hidden > 0 || leftOut.has(name)) hidden++
        const { open, close } = (hidden === 0 && elements.get(name)?.(attributes)) || { open: '', close: '' }
        parts.push(open)
        closing.push(close)
      },
      onclosetag() {
        if (hidden > 0) hidden--
        parts.push(closing.pop() ?? '')
      },
      ontext(text) {
        if (hidden === 0) parts.push(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return parts.join('')
}
