const separator = 0
const word = 1
const spaceless = 2
const dropped = 3

const isWord = /[\p{L}\p{N}\p{M}]/u
const isSpaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Soft hyphens, joiners and direction marks do not end a word. */
const isDropped = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/u
const isBeyondAscii = /\P{ASCII}/u

/** Part of kana, although Unicode assigns them to no script. */
const kanaMarks = 'ーｰﾞﾟ'

const maxWordLength = 64

const kinds = new Uint8Array(0x10000)
for (let code = 0; code < 0x10000; code++) kinds[code] = characterKind(String.fromCharCode(code))

function characterKind(character: string): number {
  if (isDropped.test(character)) return dropped
  if (!isWord.test(character)) return separator
  return isSpaceless.test(character) || kanaMarks.includes(character) ? spaceless : word
}

/**
 * Visits the tokens of a text in compatibility form and lower case, with their diacritics. A token is a word, or a run of
 * characters in a script without spaces.
 */
export function eachToken(text: string, visit: (token: string, isSpaceless: boolean) => void): void {
  const normalized = (isBeyondAscii.test(text) ? text.normalize('NFKC') : text).toLowerCase()
  eachTokenSpan(normalized, (start, end, isSpaceless, hasDropped) => {
    const token = normalized.slice(start, isSpaceless ? end : Math.min(end, start + maxWordLength))
    visit(hasDropped ? token.replace(droppedEverywhere, '') : token, isSpaceless)
  })
}

const hyphenatedName =
  /(?<![\p{L}\p{N}-])(?:(\p{L}{1,10})[-\u2010\u2011](\d{1,6}\p{L}?)|(\d{1,6})[-\u2010\u2011](\p{L}{1,3}))(?![\p{L}\p{N}-])/gu

/** Names of letters and digits are also one word: IL-6 is il6, too. */
export function joinedNames(text: string): string[] {
  if (!/[-\u2010\u2011]/.test(text)) return []
  return [...text.matchAll(hyphenatedName)].map(([, letters, digits, number, unit]) =>
    `${letters ?? number}${digits ?? unit}`.normalize('NFKC').toLowerCase(),
  )
}

/** Visits the start and end of each token of a text, without normalizing it. */
export function eachTokenSpan(
  text: string,
  visit: (start: number, end: number, isSpaceless: boolean, hasDropped: boolean) => void,
): void {
  const { length } = text
  let start = 0
  let current = separator
  let hasDropped = false
  for (let at = 0, width = 1; at < length; at += width) {
    const code = text.charCodeAt(at)
    let kind = kinds[code] as number
    width = 1
    if (code >= 0xd800 && code <= 0xdbff) {
      const point = text.codePointAt(at) as number
      width = point > 0xffff ? 2 : 1
      kind = point > 0xffff ? characterKind(String.fromCodePoint(point)) : separator
    }
    if (kind === current) continue
    if (kind === dropped && current !== separator) {
      hasDropped = true
      continue
    }
    if (current !== separator) visit(start, at, current === spaceless, hasDropped)
    start = at
    current = kind === dropped ? separator : kind
    hasDropped = false
  }
  if (current !== separator) visit(start, length, current === spaceless, hasDropped)
}

const droppedEverywhere = new RegExp(isDropped.source, 'gu')

const diacritics = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
const replacements: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const replaced = new RegExp(`[${Object.keys(replacements).join('')}]`, 'g')

/** Removes diacritics in scripts whose readers omit them when they type. */
export function foldDiacritics(text: string): string {
  if (!isBeyondAscii.test(text)) return text
  return text
    .normalize('NFD')
    .replace(diacritics, '')
    .normalize('NFC')
    .replace(replaced, (letter) => replacements[letter] as string)
}
