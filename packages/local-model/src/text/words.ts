const unknown = 0
const separator = 1
const letter = 2
const spaceless = 3
const invisible = 4

const isWord = /[\p{L}\p{N}\p{M}]/u
const isSpaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u
/** Soft hyphens, joiners and direction marks occur within words. They are removed. */
const isInvisible = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/
const allInvisible = new RegExp(isInvisible.source, 'g')

/** Filled on first use of each character. */
const kinds = new Uint8Array(0x10000)

function characterKind(code: number): number {
  const known = kinds[code] as number
  if (known !== unknown) return known
  const character = String.fromCharCode(code)
  let kind = separator
  // Surrogates (rare ideographs and emoji) count as letters.
  if (isInvisible.test(character)) kind = invisible
  else if (code >= 0xd800 && code <= 0xdfff) kind = letter
  else if (isWord.test(character)) kind = isSpaceless.test(character) ? spaceless : letter
  kinds[code] = kind
  return kind
}

const maxWordLength = 64

/**
 * Calls `visit` for every word, as written, with its offset. In scripts without spaces every pair of neighbouring
 * characters is a word, and so is a single character.
 */
export function eachWord(text: string, from: number, to: number, visit: (word: string, at: number) => void): void {
  let start = from
  let current = separator
  let hasInvisible = false
  for (let at = from; at <= to; at++) {
    const kind = at < to ? characterKind(text.charCodeAt(at)) : separator
    if (kind === current) continue
    if (kind === invisible && current !== separator) {
      hasInvisible = true
      continue
    }
    if (current === letter) {
      const word = text.slice(start, Math.min(at, start + maxWordLength))
      visit(hasInvisible ? word.replace(allInvisible, '') : word, start)
    } else if (current === spaceless) eachPair(text, start, at, visit)
    start = at
    current = kind === invisible ? separator : kind
    hasInvisible = false
  }
}

function eachPair(text: string, from: number, to: number, visit: (word: string, at: number) => void): void {
  if (to - from === 1) visit(text.slice(from, to), from)
  for (let at = from; at + 1 < to; at++) visit(text.slice(at, at + 2), at)
}

export const isSpacelessWord = (word: string): boolean => characterKind(word.charCodeAt(0)) === spaceless

const isBeyondAscii = /\P{ASCII}/u
const oneLetter: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }
const letters = new RegExp(`[${Object.keys(oneLetter).join('')}]`, 'g')
const marks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g

/** Lower case, without accents, with compatibility forms such as ligatures normalized. */
export function folded(text: string): string {
  const lower = text.toLowerCase()
  if (!isBeyondAscii.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(letters, (each) => oneLetter[each] ?? each)
}
