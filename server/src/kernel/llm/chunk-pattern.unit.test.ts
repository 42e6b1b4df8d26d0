import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChunkPattern } from './chunk-pattern.ts'
import type { WireChunk } from './openai-wire.ts'

const chunk = (content: string, more: object = {}) =>
  JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }], usage: null, ...more })

function learnt(data: string): ChunkPattern {
  const pattern = new ChunkPattern()
  pattern.learn(data, JSON.parse(data) as WireChunk)
  return pattern
}

describe('the pattern of chunks', () => {
  it('finds the text in a chunk that is otherwise the same', () => {
    const pattern = learnt(chunk('Hello'))
    expect(pattern.textIn(chunk(' world'))).toBe(' world')
    expect(pattern.textIn(chunk('Grüße'))).toBe('Grüße')
  })

  it('leaves every other chunk to be parsed', () => {
    const pattern = learnt(chunk('Hello'))
    const others = [
      chunk('a "b"'),
      chunk('line\n'),
      chunk(''),
      chunk('much longer than most'),
      chunk('a', { id: 'y' }),
      chunk('a', { usage: { prompt_tokens: 1 } }),
      chunk('a').replace('null}]', '"stop"}]'),
      chunk('a').slice(0, -1),
      '[DONE]',
    ]
    for (const other of others) expect(pattern.textIn(other)).toBeNull()
  })

  it('learns from nothing but text', () => {
    const calls = { choices: [{ delta: { content: 'a', tool_calls: [{}] } }] }
    for (const data of [chunk(''), chunk('a', { usage: {} }), chunk('a', { error: {} }), JSON.stringify(calls), '{}']) {
      expect(learnt(data).textIn(data)).toBeNull()
    }
  })

  it('is not led astray by the same characters in another field', () => {
    const data = chunk('Hello', { note: 'Hello' })
    expect(learnt(data).textIn(data)).toBeNull()
    // Written with an escape here and without one there.
    const escaped = data.replace('"content":"Hello"', '"content":"H\\u0065llo"')
    expect(learnt(escaped).textIn(escaped)).toBeNull()
  })

  it('gives up after a few chunks that it cannot learn from', () => {
    const pattern = new ChunkPattern()
    const odd = chunk('a', { note: 'a' })
    for (let time = 0; time < 3; time++) pattern.learn(odd, JSON.parse(odd) as WireChunk)
    pattern.learn(chunk('a'), JSON.parse(chunk('a')) as WireChunk)
    expect(pattern.textIn(chunk('a'))).toBeNull()
  })

  const text = fc.oneof(
    fc.constantFrom('a', 'b', ' ', '"', '\\', '","', 'null'),
    fc.string({ unit: 'grapheme', maxLength: 14 }),
  )
  const frame = fc.record(
    { id: fc.constantFrom('x', 'y'), content: text, finish_reason: fc.constantFrom(null, 'stop'), note: text },
    { requiredKeys: [] },
  )
  /** A few frames, each with many texts: much is the same, as in a real reply, but not all. */
  const stream = fc.array(fc.tuple(frame, fc.array(text, { maxLength: 10 })), { maxLength: 4 })

  it('never finds anything but what parsing finds, and usually finds it', () => {
    let found = 0
    fc.assert(
      fc.property(stream, (frames) => {
        const pattern = new ChunkPattern()
        for (const [{ finish_reason = null, ...rest }, texts] of frames) {
          for (const content of texts) {
            const data = JSON.stringify({ choices: [{ delta: { content }, finish_reason }], ...rest })
            const cut = pattern.textIn(data)
            if (cut === null) pattern.learn(data, JSON.parse(data) as WireChunk)
            else expect([cut, finish_reason]).toEqual([content, null])
            if (cut !== null) found++
          }
        }
      }),
      { numRuns: 2000 },
    )
    expect(found).toBeGreaterThan(2000)
  })
})
