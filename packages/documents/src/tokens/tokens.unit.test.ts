import fc from 'fast-check'
import { countTokens as referenceCount } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { countTokens, mapTokens, tokensBetween } from './tokens.ts'

const pieces = [
  'word',
  'Word',
  'WORD',
  'naïve',
  '漢字',
  'שלום',
  'é',
  '🙂',
  '👩‍👧',
  "don't",
  '123456',
  '3.14',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\t',
  '.',
  '...',
  '("',
  '/',
  '\u200b',
]

/** Text as people write it, mixed with some random characters. */
const texts = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 60 })
  .map((parts) => parts.join(''))

// The reference drops byte order marks, and counts long runs, which are cut here, as a whole.
const comparable = (text: string): boolean => !text.includes('\ufeff') && !/[^\s]{60}|\s{60}/.test(text)

describe('countTokens', () => {
  it('matches o200k_base for any text', () => {
    fc.assert(
      fc.property(texts.filter(comparable), (text) => {
        expect(countTokens(text)).toBe(referenceCount(text, { disallowedSpecial: new Set() }))
      }),
      { numRuns: 1000 },
    )
  })

  it('treats special token names as plain text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1)
    expect(countTokens('')).toBe(0)
  })

  it('counts a span like a separate text', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, a, b) => {
        const map = mapTokens(text)
        const words = [...text.matchAll(/\S+/g)]
        const first = words[a % Math.max(1, words.length)]
        const last = words[b % Math.max(1, words.length)]
        if (!first || !last || first.index > last.index) return
        const end = last.index + last[0].length
        expect(tokensBetween(map, first.index, end)).toBe(countTokens(text.slice(first.index, end)))
      }),
      { numRuns: 1000 },
    )
  })

  it('handles megabytes without a space in linear time', () => {
    // The square of a million steps would take longer than this test may.
    for (const unit of ['a', 'A', '漢', '.', ' ', 'e\u0301', '👩‍👧']) {
      const text = unit.repeat(1_000_000 / unit.length)
      expect(countTokens(text)).toBeGreaterThan(text.length / 128)
    }
  }, 300_000)
})
