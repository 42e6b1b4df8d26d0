import { setImmediate as breathe } from 'node:timers/promises'
import { Tokenizer } from 'htmlparser2'

export interface TagReader {
  open?(name: string, attributes: Map<string, string>): void
  close?(name: string): void
  text?(part: string): void
  /** Asked between two slices: nothing more is needed. */
  enough?(): boolean
}

const sliceLength = 64 * 1024
const mostAttributes = 100
const longestValue = 10_000

/**
 * Reads tags one after the other, in slices, so that a large page holds up nobody. No tree and no stack of open
 * elements is kept: a page can nest as deep as it likes and costs no more than its length.
 */
export async function readTags(source: string, reader: TagReader, options: { xml?: boolean } = {}): Promise<void> {
  let tag = ''
  let attributes = new Map<string, string>()
  let attribute = ''
  let value = ''
  const nameAt = (start: number, end: number) => {
    const name = source.slice(start, Math.min(end, start + longestValue))
    return options.xml ? name : name.toLowerCase()
  }
  const addToValue = (part: string) => {
    if (value.length < longestValue) value += part
  }
  const opened = () => reader.open?.(tag, attributes)
  const nothing = () => {}
  const tokenizer = new Tokenizer(
    { xmlMode: options.xml ?? false, decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = nameAt(start, end)
        attributes = new Map()
      },
      onattribname(start, end) {
        attribute = nameAt(start, end)
        value = ''
      },
      onattribdata: (start, end) => addToValue(source.slice(start, end)),
      onattribentity: (codePoint) => addToValue(String.fromCodePoint(codePoint)),
      onattribend() {
        if (!attributes.has(attribute) && attributes.size < mostAttributes) attributes.set(attribute, value)
      },
      onopentagend: opened,
      onselfclosingtag() {
        opened()
        reader.close?.(tag)
      },
      onclosetag: (start, end) => reader.close?.(nameAt(start, end)),
      ontext: (start, end) => reader.text?.(source.slice(start, end)),
      ontextentity: (codePoint) => reader.text?.(String.fromCodePoint(codePoint)),
      oncdata: (start, end, offset) => reader.text?.(source.slice(start, end - offset)),
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  )
  for (let at = 0; at < source.length && !reader.enough?.(); at += sliceLength) {
    tokenizer.write(source.slice(at, at + sliceLength))
    await breathe()
  }
  tokenizer.end()
}
