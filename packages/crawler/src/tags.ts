import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Tokenizer } from 'htmlparser2'

export interface TagReader {
  open?(name: string, attributes: Map<string, string>): void
  close?(name: string): void
  text?(part: string): void
  /** Checked between slices: stops early. */
  isDone?(): boolean
}

const sliceLength = 64 * 1024
const maxAttributes = 100
const maxValueLength = 10_000

/**
 * Scans tags in slices, so that a large page does not block the event loop. It builds no tree, so deep nesting costs
 * nothing.
 */
export async function readTags(source: string, reader: TagReader, options: { xml?: boolean } = {}): Promise<void> {
  let tag = ''
  let attributes = new Map<string, string>()
  let attribute = ''
  let value = ''
  const nameAt = (start: number, end: number) => {
    const name = source.slice(start, Math.min(end, start + maxValueLength))
    return options.xml ? name : name.toLowerCase()
  }
  const addToValue = (part: string) => {
    if (value.length < maxValueLength) value += part
  }
  const onOpen = () => reader.open?.(tag, attributes)
  const ignore = () => {}
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
        if (!attributes.has(attribute) && attributes.size < maxAttributes) attributes.set(attribute, value)
      },
      onopentagend: onOpen,
      onselfclosingtag() {
        onOpen()
        reader.close?.(tag)
      },
      onclosetag: (start, end) => reader.close?.(nameAt(start, end)),
      ontext: (start, end) => reader.text?.(source.slice(start, end)),
      ontextentity: (codePoint) => reader.text?.(String.fromCodePoint(codePoint)),
      oncdata: (start, end, offset) => reader.text?.(source.slice(start, end - offset)),
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  for (let at = 0; at < source.length && !reader.isDone?.(); at += sliceLength) {
    tokenizer.write(source.slice(at, at + sliceLength))
    await yieldToEventLoop()
  }
  tokenizer.end()
}
