import { decodeText, isKnownCharset } from '../charset.ts'
import type { Limits, ParsedDocument } from '../document.ts'
import { TextWriter } from '../text-writer.ts'
import { markdownDocument } from './markdown.ts'
import { markdownTable } from './markdown-table.ts'

/** Groups that hold no text of the document. */
const hiddenGroups = new Set(
  'fonttbl colortbl stylesheet listtable listoverridetable info pict object themedata colorschememapping datastore latentstyles generator header footer headerl headerr footerl footerr xmlnstbl rsidtbl fldinst revtbl filetbl'.split(
    ' ',
  ),
)

const characters = new Map(
  Object.entries({
    tab: '\t',
    emdash: '—',
    endash: '–',
    emspace: ' ',
    enspace: ' ',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    bullet: '•',
    '~': ' ',
    _: '-',
  }),
)

interface Group {
  isHidden: boolean
  /** The number of fallback characters after a Unicode character, for readers without Unicode. */
  fallbacks: number
}

// A control word with its number, an escaped byte, a control symbol, the end or start of a group, or text.
const tokens = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\(.)|([{}])|([^\\{}\r\n]+)/gis

/** The text of a rich text file, with its tables. */
export function parseRtf(bytes: Uint8Array, limits: Limits): ParsedDocument {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const page = `windows-${/\\ansicpg(\d{3,5})/.exec(source.slice(0, 2_000))?.[1] ?? '1252'}`
  const charset = isKnownCharset(page) ? page : 'windows-1252'
  const body = new RtfBody(limits)
  const groups: Group[] = [{ isHidden: false, fallbacks: 1 }]
  let toSkip = 0
  let escaped: number[] = []
  const flush = () => {
    if (escaped.length > 0) body.add(decodeText(Uint8Array.from(escaped), charset))
    escaped = []
  }
  for (const [, word, number, byte, symbol, brace, text] of source.matchAll(tokens)) {
    const group = groups.at(-1) ?? { isHidden: false, fallbacks: 1 }
    if (byte === undefined) flush()
    if (brace === '{') groups.push({ ...group })
    else if (brace === '}') {
      if (groups.length > 1) groups.pop()
    } else if (symbol === '*' || (word !== undefined && hiddenGroups.has(word))) group.isHidden = true
    else if (word === 'uc') group.fallbacks = Number(number ?? 1)
    else if (group.isHidden) continue
    else if (word === 'u') {
      body.add(String.fromCharCode(Number(number ?? 0) & 0xffff))
      toSkip = group.fallbacks
    } else if (byte !== undefined) {
      if (toSkip > 0) toSkip--
      else escaped.push(Number.parseInt(byte, 16))
    } else if (text !== undefined) {
      body.add(text.slice(toSkip))
      toSkip = Math.max(0, toSkip - text.length)
    } else body.control(word ?? symbol ?? '')
  }
  flush()
  return markdownDocument(body.end())
}

/** Paragraphs, and rows that become tables. */
class RtfBody {
  readonly #writer: TextWriter
  #paragraph = ''
  #cells: string[] = []
  #rows: string[][] = []

  constructor(limits: Limits) {
    this.#writer = new TextWriter(limits.textCharacters)
  }

  add(text: string): void {
    this.#paragraph += text
  }

  control(name: string): void {
    if (name === 'par' || name === 'sect' || name === 'page') this.#endParagraph()
    else if (name === 'line') this.add('\n')
    else if (name === 'cell') this.#endCell()
    else if (name === 'row') this.#endRow()
    else if (['\\', '{', '}'].includes(name)) this.add(name)
    else this.add(characters.get(name) ?? '')
  }

  end(): string {
    this.#endParagraph()
    this.#endTable()
    return this.#writer.toString()
  }

  #endParagraph(): void {
    const text = this.#paragraph.trim()
    if (text === '') return
    // A paragraph inside of a cell belongs to it.
    if (this.#cells.length > 0) {
      this.#paragraph += ' '
      return
    }
    this.#endTable()
    this.#paragraph = ''
    this.#write(text)
  }

  #endCell(): void {
    this.#cells.push(this.#paragraph.trim())
    this.#paragraph = ''
  }

  #endRow(): void {
    if (this.#cells.length > 0) this.#rows.push(this.#cells)
    this.#cells = []
    this.#paragraph = ''
  }

  #endTable(): void {
    if (this.#rows.length > 0) this.#write(markdownTable(this.#rows))
    this.#rows = []
  }

  #write(text: string): void {
    this.#writer.write(`${this.#writer.length > 0 ? '\n\n' : ''}${text}`)
  }
}
