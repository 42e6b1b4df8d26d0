import { describe, expect, it } from 'vitest'
import { eachToken, foldDiacritics } from './tokens.ts'

function tokens(text: string): string[] {
  const found: string[] = []
  eachToken(text, (token, isSpaceless) => found.push(isSpaceless ? `«${token}»` : token))
  return found
}

describe('tokens', () => {
  it.each([
    ['Hello, World!', ['hello', 'world']],
    ["don't over-think it_now", ['don', 't', 'over', 'think', 'it', 'now']],
    ['Straße ÜBER naïve', ['straße', 'über', 'naïve']],
    ['ＡＢＣ １２３ ﬁne ①', ['abc', '123', 'fine', '1']],
    ['e\u0301te\u0301', ['été']],
    ['co\u00adoperate zero\u200dwidth', ['cooperate', 'zerowidth']],
    ['one\u200btwo', ['one', 'two']],
    ['黑豹队NFL防守', ['«黑豹队»', 'nfl', '«防守»']],
    ['ﾃｷｽﾄ コーヒー', ['«テキスト»', '«コーヒー»']],
    ['한국어 텍스트', ['«한국어»', '«텍스트»']],
    ['𠀀𠀁 𝒳y 😀', ['«𠀀𠀁»', 'xy']],
    ['\ud800 lone \udc00', ['lone']],
    ['', []],
    ['?!… \u0000', []],
  ])('of %j', (text, expected) => {
    expect(tokens(text)).toEqual(expected)
  })

  it('truncates long words', () => {
    expect(tokens('x'.repeat(1_000_000)).map(({ length }) => length)).toEqual([64])
  })
})

describe('folding diacritics', () => {
  it.each([
    ['über', 'uber'],
    ['straße', 'strasse'],
    ['çédille', 'cedille'],
    ['smørrebrød', 'smorrebrod'],
    ['œuvre', 'oeuvre'],
    ['łódź', 'lodz'],
    ['ёлка', 'елка'],
    ['مُحَمَّد', 'محمد'],
    ['ガギグ', 'ガギグ'],
    ['각', '각'],
    ['हिन्दी', 'हिन्दी'],
  ])('turns %s into %s', (text, expected) => {
    expect(foldDiacritics(text)).toBe(expected.normalize('NFC'))
  })
})
