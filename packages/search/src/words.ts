const separator = 0
const word = 1
const spaceless = 2
const dropped = 3

const isWord = /[\p{L}\p{N}\p{M}]/u
const isSpaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Soft hyphens, joiners and direction marks stand inside a word without ending it. */
const isDropped = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/u
const isBeyondAscii = /\P{ASCII}/u

/** They belong to kana although Unicode gives them to no script. */
const kanaMarks = 'ーｰﾞﾟ'

const longestWord = 64

const kinds = new Uint8Array(0x10000)
for (let code = 0; code < 0x10000; code++) kinds[code] = kindOf(String.fromCharCode(code))

function kindOf(character: string): number {
  if (isDropped.test(character)) return dropped
  if (!isWord.test(character)) return separator
  return isSpaceless.test(character) || kanaMarks.includes(character) ? spaceless : word
}

/** Calls `found` for every run of word characters, in compatibility form and lower case, marks still on. */
export function eachRun(text: string, found: (run: string, isSpaceless: boolean) => void): void {
  const folded = (isBeyondAscii.test(text) ? text.normalize('NFKC') : text).toLowerCase()
  eachPlace(folded, (start, end, isSpaceless, hasDropped) => {
    const run = folded.slice(start, isSpaceless ? end : Math.min(end, start + longestWord))
    found(hasDropped ? run.replace(droppedEverywhere, '') : run, isSpaceless)
  })
}

/** Calls `found` with the place of every run of word characters in a text as it stands. */
export function eachPlace(
  text: string,
  found: (start: number, end: number, isSpaceless: boolean, hasDropped: boolean) => void,
): void {
  // Nothing here is shared with another function: what is, the compiler does not keep in registers.
  const { length } = text
  let start = 0
  let current = separator
  let hasDropped = false
  for (let at = 0, width = 1; at < length; at += width) {
    const code = text.charCodeAt(at)
    let what = kinds[code] as number
    width = 1
    if (code >= 0xd800 && code <= 0xdbff) {
      const point = text.codePointAt(at) as number
      width = point > 0xffff ? 2 : 1
      what = point > 0xffff ? kindOf(String.fromCodePoint(point)) : separator
    }
    if (what === current) continue
    if (what === dropped && current !== separator) {
      hasDropped = true
      continue
    }
    if (current !== separator) found(start, at, current === spaceless, hasDropped)
    start = at
    current = what === dropped ? separator : what
    hasDropped = false
  }
  if (current !== separator) found(start, length, current === spaceless, hasDropped)
}

const droppedEverywhere = new RegExp(isDropped.source, 'gu')

const marks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
const oneLetter: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }
const letters = new RegExp(`[${Object.keys(oneLetter).join('')}]`, 'g')

/** Takes accents off the scripts whose readers leave them out when they type. */
export function foldMarks(text: string): string {
  if (!isBeyondAscii.test(text)) return text
  return text
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(letters, (letter) => oneLetter[letter] as string)
}
