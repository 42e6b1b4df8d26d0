import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderError } from './model.ts'
import { EventStreamParser } from './sse.ts'

function eventsIn(...chunks: (string | Buffer)[]): string[] {
  const events: string[] = []
  const parser = new EventStreamParser((data) => events.push(data))
  for (const chunk of chunks) parser.push(Buffer.from(chunk as string))
  return events
}

/** What the standard says, without a thought for speed. */
function expectedEvents(bytes: Buffer): string[] {
  const lines = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
  const events: string[] = []
  let data: string[] = []
  // What follows the last line end is no line yet.
  for (const line of lines.slice(0, -1)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    if (line !== '') continue
    if (data.length > 0) events.push(data.join('\n'))
    data = []
  }
  return events
}

function split(bytes: Buffer, places: number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

describe('the parser of event streams', () => {
  it('gives the data of each event', () => {
    expect(eventsIn('data: one\n\ndata:two\n\ndata:  three\n\n')).toEqual(['one', 'two', ' three'])
  })

  it('joins several lines of data', () => {
    expect(eventsIn('data: one\ndata:\ndata\ndata: two\n\n')).toEqual(['one\n\n\ntwo'])
  })

  it('passes over comments, other fields and events without data', () => {
    expect(eventsIn(': keep-alive\n\nevent: message\nid: 1\nretry: 5\ndataset: no\n\ndata: yes\n\n')).toEqual(['yes'])
  })

  it('takes all three line ends, also split between the two characters of one', () => {
    expect(eventsIn('data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n')).toEqual(['1', '2', '3'])
    expect(eventsIn('data: 1\r', '\n\r', '\ndata: 2\r\n', '\r\n')).toEqual(['1', '2'])
    expect(eventsIn('data: 1\r', '\ndata: 2\r', '', '\n\n')).toEqual(['1\n2'])
  })

  it('hands an event on as soon as its last byte is there', () => {
    expect(eventsIn('data: 1\r\n\r')).toEqual(['1'])
    expect(eventsIn('data: 1\n')).toEqual([])
  })

  it('never sees half a character', () => {
    const bytes = Buffer.from('data: Grüße 👋🏽\n\n')
    expect(eventsIn(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(['Grüße 👋🏽'])
  })

  it('passes over a byte order mark at the start only', () => {
    expect(eventsIn('\uFEFFdata: 1\n\n\uFEFFdata: 2\n\n')).toEqual(['1'])
  })

  it('reads a line of a megabyte that comes in small pieces', () => {
    const long = 'x'.repeat(1024 * 1024)
    const bytes = Buffer.from(`data: ${long}\n\n`)
    expect(
      eventsIn(
        ...split(
          bytes,
          Array.from({ length: 1000 }, (_, index) => index * 1000),
        ),
      ),
    ).toEqual([long])
  })

  it('gives up on a line or an event without end', () => {
    const parser = new EventStreamParser(() => undefined)
    const block = Buffer.alloc(1024 * 1024, 'x')
    expect(() => {
      for (let sent = 0; sent < 20; sent++) parser.push(block)
    }).toThrow(ProviderError)
    const line = Buffer.from(`data: ${'x'.repeat(1024 * 1024)}\n`)
    const other = new EventStreamParser(() => undefined)
    expect(() => {
      for (let sent = 0; sent < 20; sent++) other.push(line)
    }).toThrow('more than 16 MiB')
  })

  const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
  const line = fc.oneof(
    fc.constantFrom('', 'data', 'data:', 'data: [DONE]', 'data:a', 'data : b', 'id: 7', ': comment', '\uFEFF', ' '),
    fc.string({ unit: 'binary' }).map((text) => `data: ${text}`),
    fc.json().map((json) => `data: ${json}`),
  )
  const part = fc.oneof(
    { weight: 9, arbitrary: fc.tuple(line, lineEnd).map(([text, end]) => Buffer.from(text + end)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }) },
  )
  const stream = fc.array(part, { maxLength: 30 }).map((parts) => Buffer.concat(parts))

  it('gives the same events however the bytes are split', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 600 }), { maxLength: 40 }), (bytes, places) => {
        expect(eventsIn(...split(bytes, places))).toEqual(expectedEvents(bytes))
      }),
      { numRuns: 2000 },
    )
  })
})
