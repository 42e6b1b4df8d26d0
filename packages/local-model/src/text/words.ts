const unknown = 0
const separator = 1
const letter = 2
const spaceless = 3
const dropped = 4

const isWord = /[\p{L}\p{N}\p{M}]/u
const isSpaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u
/** Soft hyphens, joiners and direction marks stand inside of a word without ending it. */
const isDropped = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/
const droppedEverywhere = new RegExp(isDropped.source, 'g')

/** Filled in as characters are met: most texts use few of them. */
const kinds = new Uint8Array(0x10000)

function kindOf(code: number): number {
  const known = kinds[code] as number
  if (known !== unknown) return known
  const character = String.fromCharCode(code)
  let kind = separator
  // Halves of characters beyond the first plane: ideographs that few know, and emoji. They count as letters.
  if (isDropped.test(character)) kind = dropped
  else if (code >= 0xd800 && code <= 0xdfff) kind = letter
  else if (isWord.test(character)) kind = isSpaceless.test(character) ? spaceless : letter
  kinds[code] = kind
  return kind
}

const longestWord = 64

/**
 * Calls `found` for every word, as written, with its place in the text. In scripts without spaces each two
 * neighbouring characters are a word, and a lone one is.
 */
export function eachWord(text: string, from: number, to: number, found: (word: string, at: number) => void): void {
  let start = from
  let current = separator
  let hasDropped = false
  for (let at = from; at <= to; at++) {
    const kind = at < to ? kindOf(text.charCodeAt(at)) : separator
    if (kind === current) continue
    if (kind === dropped && current !== separator) {
      hasDropped = true
      continue
    }
    if (current === letter) {
      const word = text.slice(start, Math.min(at, start + longestWord))
      found(hasDropped ? word.replace(droppedEverywhere, '') : word, start)
    } else if (current === spaceless) eachPair(text, start, at, found)
    start = at
    current = kind === dropped ? separator : kind
    hasDropped = false
  }
}

function eachPair(text: string, from: number, to: number, found: (word: string, at: number) => void): void {
  if (to - from === 1) found(text.slice(from, to), from)
  for (let at = from; at + 1 < to; at++) found(text.slice(at, at + 2), at)
}

export const isSpacelessWord = (word: string): boolean => kindOf(word.charCodeAt(0)) === spaceless

const isBeyondAscii = /\P{ASCII}/u
const oneLetter: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }
const letters = new RegExp(`[${Object.keys(oneLetter).join('')}]`, 'g')
const marks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g

/** In lower case, without accents, wide and ligature forms made plain. */
export function folded(text: string): string {
  const lower = text.toLowerCase()
  if (!isBeyondAscii.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(letters, (each) => oneLetter[each] ?? each)
}
