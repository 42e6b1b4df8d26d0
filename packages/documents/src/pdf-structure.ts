import { inflateSync } from 'node:zlib'
import { DocumentError } from './document.ts'

/** A piece of page content that other content may draw by name any number of times. */
interface Form {
  /** The forms that it can draw, by the names that it uses for them. */
  targets: Map<string, number>
  content: Buffer
  isDeflated: boolean
}

const maxDrawnForms = 100_000
const maxDictionaryBytes = 8 * 1024
const maxResourceBytes = 16 * 1024
const maxContentBytes = 1024 ** 2
/** Enough for the nested forms of any document that people make. */
const maxInflatedBytes = 32 * 1024 ** 2

/** Rejects a PDF whose structure makes a small file arbitrarily slow or large, before it is read. */
export function checkStructure(bytes: Uint8Array, maxPages: number): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  rejectManyPages(file, maxPages)
  rejectRepeatedCompression(file)
  rejectExplodingForms(findForms(file))
}

/** Opening a file of very many pages takes long by itself. The count stands in the root of the page tree. */
function rejectManyPages(file: Buffer, maxPages: number): void {
  for (const at of occurrences(file, '/Count')) {
    const count = Number(/^\/Count\s+(\d+)/.exec(file.toString('latin1', at, at + 40))?.[1] ?? 0)
    const nearby = count > maxPages ? file.toString('latin1', Math.max(0, at - 200), at + 200) : ''
    if (/\/Pages\b|\/Kids\b/.test(nearby)) throw tooManyPages(count, maxPages)
  }
}

export const tooManyPages = (count: number, max: number) =>
  new DocumentError(
    'too_large',
    `The PDF has ${count.toLocaleString('en')} pages; at most ${max.toLocaleString('en')} can be read. Split it and upload the parts.`,
  )

function rejectRepeatedCompression(file: Buffer): void {
  for (const at of occurrences(file, '/Filter')) {
    const list = /^\/Filter\s*\[([^\]]*)\]/.exec(file.toString('latin1', at, at + 200))?.[1] ?? ''
    const compressions = list.match(/\/(?:FlateDecode|Fl|LZWDecode|LZW|RunLengthDecode|RL)\b/g) ?? []
    if (compressions.length > 1) {
      throw new DocumentError(
        'too_complex',
        'The PDF has parts that are compressed more than once, which is not supported. Print it to a new PDF and upload that.',
      )
    }
  }
}

function* occurrences(file: Buffer, word: string): Generator<number> {
  for (let at = file.indexOf(word); at !== -1; at = file.indexOf(word, at + word.length)) yield at
}

function findForms(file: Buffer): Map<number, Form> {
  const dictionaries = new Map<number, { text: string; streamAt: number }>()
  for (const at of occurrences(file, '/Form')) {
    const before = file.toString('latin1', Math.max(0, at - maxDictionaryBytes), at)
    const after = file.toString('latin1', at, at + maxDictionaryBytes)
    const start = before.lastIndexOf('obj')
    const end = after.indexOf('stream')
    const number = /(\d+)\s+\d+\s+$/.exec(before.slice(Math.max(0, start - 24), start))?.[1]
    if (number === undefined || end === -1) continue
    const text = before.slice(start) + after.slice(0, end)
    if (/\/Subtype\s*\/Form\b/.test(text)) dictionaries.set(Number(number), { text, streamAt: at + end })
  }
  const objectText = objectReader(file)
  const forms = new Map<number, Form>()
  for (const [number, { streamAt, text }] of dictionaries) {
    const targets = new Map(namedReferences(text, objectText).filter(([, target]) => dictionaries.has(target)))
    if (targets.size > 0) forms.set(number, { targets, ...contentAt(file, streamAt, text) })
  }
  return forms
}

/** The names of a form's resources, which may stand in the dictionary itself or in objects of their own. */
function namedReferences(dictionary: string, objectText: (number: number) => string): [name: string, object: number][] {
  const resources = [dictionary]
  for (const key of ['Resources', 'XObject']) {
    const reference = new RegExp(`/${key}\\s+(\\d+)\\s+\\d+\\s+R\\b`).exec(resources.join(' '))?.[1]
    if (reference !== undefined) resources.push(objectText(Number(reference)))
  }
  const pairs = resources.join(' ').matchAll(/\/([^\s/<>[\]()]+)\s+(\d+)\s+\d+\s+R\b/g)
  return [...pairs].map(([, name = '', object]) => [name, Number(object)])
}

/** Reads the start of an object. All objects are found once, when the first one is read. */
function objectReader(file: Buffer): (number: number) => string {
  let offsets: Map<number, number> | undefined
  return (number) => {
    offsets ??= new Map(objectOffsets(file))
    const at = offsets.get(number)
    return at === undefined ? '' : (file.toString('latin1', at, at + maxResourceBytes).split('endobj', 1)[0] ?? '')
  }
}

function* objectOffsets(file: Buffer): Generator<[number: number, at: number]> {
  for (const at of occurrences(file, ' obj')) {
    const number = /(\d+)\s+\d+$/.exec(file.toString('latin1', Math.max(0, at - 24), at))?.[1]
    if (number !== undefined) yield [Number(number), at]
  }
}

function contentAt(file: Buffer, streamAt: number, dictionary: string): Pick<Form, 'content' | 'isDeflated'> {
  const rest = file.subarray(streamAt, streamAt + maxContentBytes)
  const start = rest.indexOf('\n') + 1
  const end = rest.indexOf('endstream', start)
  return {
    content: rest.subarray(start, end === -1 ? rest.length : end),
    isDeflated: /\/(?:FlateDecode|Fl)\b/.test(dictionary),
  }
}

/** Forms that draw others twice, which draw others twice, and so on, take exponential time. */
function rejectExplodingForms(forms: ReadonlyMap<number, Form>): void {
  const drawn = new Map<number, number>()
  let inflatedBytes = 0

  function drawnBy(number: number): number {
    const known = drawn.get(number)
    if (known !== undefined) return known
    const form = forms.get(number)
    if (!form || inflatedBytes > maxInflatedBytes) return 1
    drawn.set(number, Number.POSITIVE_INFINITY) // in case it draws itself
    const content = form.isDeflated ? inflate(form.content) : form.content
    inflatedBytes += content.length
    let count = 1
    for (const [, name = ''] of content.toString('latin1').matchAll(/\/([^\s/<>[\]()]+)\s+Do\b/g)) {
      const target = form.targets.get(name)
      if (target !== undefined) count += drawnBy(target)
      if (count > maxDrawnForms) throw tooManyForms()
    }
    drawn.set(number, count)
    return count
  }
  for (const number of forms.keys()) drawnBy(number)
}

const tooManyForms = () =>
  new DocumentError(
    'too_complex',
    'The PDF nests its graphics too deeply to be read. Print it to a new PDF and upload that.',
  )

function inflate(content: Buffer): Buffer {
  try {
    return inflateSync(content, { maxOutputLength: maxContentBytes })
  } catch {
    return Buffer.alloc(0)
  }
}
