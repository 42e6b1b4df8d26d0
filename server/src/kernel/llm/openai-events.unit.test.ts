import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderError } from './model.ts'
import { ChatReader } from './openai-reply.ts'

/** The deltas in a stream that arrives in these chunks. */
function deltasIn(...chunks: (string | Buffer)[]): string[] {
  const deltas: string[] = []
  const request = { onText: (delta: string) => deltas.push(delta), signal: new AbortController().signal }
  const reader = new ChatReader(request, null)
  for (const chunk of chunks) reader.push(Buffer.from(chunk as string))
  return deltas
}

const event = (content: string) => JSON.stringify({ choices: [{ delta: { content } }] })

function split(bytes: Buffer, cuts: number[]): Buffer[] {
  const ends = [...new Set(cuts.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

describe('the event stream of a reply', () => {
  it('may have data with or without a space, and over several lines', () => {
    expect(deltasIn(`data: ${event('one')}\n\ndata:${event('two')}\n\n`)).toEqual(['one', 'two'])
    const [start, end] = [event('one').slice(0, 12), event('one').slice(12)]
    expect(deltasIn(`data: ${start}\ndata:\ndata\ndata: ${end}\n\n`)).toEqual(['one'])
  })

  it('may have comments, other fields and events without data', () => {
    const others = ': keep-alive\n\nevent: message\nid: 1\nretry: 5\nretry: x\ndataset: no\n\n'
    expect(deltasIn(`${others}data: ${event('yes')}\n\n`)).toEqual(['yes'])
  })

  it('may use any line end, also split between the two characters of one', () => {
    const stream = `data: ${event('1')}\r\n\r\ndata: ${event('2')}\r\rdata: ${event('3')}\n\n`
    expect(deltasIn(stream)).toEqual(['1', '2', '3'])
    expect(deltasIn(`data: ${event('1')}\r`, '\n\r', `\ndata: ${event('2')}\r\n`, '\r\n')).toEqual(['1', '2'])
  })

  it('is read up to the last complete event', () => {
    expect(deltasIn(`data: ${event('1')}\r\n\r\n`)).toEqual(['1'])
    expect(deltasIn(`data: ${event('1')}\n`)).toEqual([])
  })

  it('never shows half a character', () => {
    const bytes = Buffer.from(`data: ${event('Grüße 👋🏽')}\n\n`)
    expect(deltasIn(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(['Grüße 👋🏽'])
  })

  it('may start with a byte order mark', () => {
    expect(deltasIn(`\uFEFFdata: ${event('1')}\n\n\uFEFFdata: ${event('2')}\n\n`)).toEqual(['1'])
  })

  it('may have a line of a megabyte that arrives in small chunks', () => {
    const long = 'x'.repeat(1024 * 1024)
    const cuts = Array.from({ length: 1000 }, (_, index) => index * 1000)
    expect(deltasIn(...split(Buffer.from(`data: ${event(long)}\n\n`), cuts))).toEqual([long])
  })

  it.each([
    ['line', Buffer.alloc(1024 * 1024, 'x')],
    ['event', Buffer.from(`data: ${'x'.repeat(1024 * 1024)}\n`)],
  ])('fails at a %s without end', (_, megabyte) => {
    const read = () => deltasIn(...Array<Buffer>(20).fill(megabyte))
    expect(read).toThrow(ProviderError)
    expect(read).toThrow('more than 16 MiB')
  })

  const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
  const part = fc.oneof(
    fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), lineEnd, fc.boolean()).map(([content, end, space]) => ({
      content,
      text: `data:${space ? ' ' : ''}${event(content)}${end}${end}`,
    })),
    fc
      .tuple(fc.constantFrom('', 'id: 7', ': comment', ' ', 'data : b'), lineEnd)
      .map(([text, end]) => ({ content: null, text: text + end + end })),
  )

  it('has the same deltas however its bytes are split', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat({ max: 600 })), (parts, cuts) => {
        // A line end that may be half of a pair is only known to be one with the next byte.
        const bytes = Buffer.from(`${parts.map(({ text }) => text).join('')}\n`)
        const expected = parts.flatMap(({ content }) => content?.replaceAll('\0', '\ufffd') ?? [])
        expect(deltasIn(...split(bytes, cuts))).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })
})
