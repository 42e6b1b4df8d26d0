/** What a UTF-16 code unit means to the tokenizer. Surrogates count as letters and are looked at when they come. */
export const kind = { letter: 0, space: 1, punctuation: 2, ideograph: 3, dropped: 4, other: 5 } as const

const isSpace = /[\s\p{Zs}]/u
const isPunctuation = /[\p{P}$+<=>^`|~]/u
const isDropped = /[\p{C}�]/u

/**
 * One byte for each code unit, so that reading a text costs one look-up a character.
 * `other` marks the letters that need folding (anything beyond ASCII), `letter` those that at most need lower case.
 */
export function characterKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000)
  for (let code = 0; code < 0x10000; code++) kinds[code] = kindOf(code)
  return kinds
}

function kindOf(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return kind.other
  const character = String.fromCharCode(code)
  if (isSpace.test(character)) return kind.space
  if (isDropped.test(character)) return kind.dropped
  if (isPunctuation.test(character)) return kind.punctuation
  if (isIdeograph(code)) return kind.ideograph
  return code < 0x80 ? kind.letter : kind.other
}

/** The blocks that BERT splits into single characters: Chinese ideographs, but neither kana nor hangul. */
function isIdeograph(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x20000 && code <= 0x2a6df) ||
    (code >= 0x2a700 && code <= 0x2ceaf) ||
    (code >= 0x2f800 && code <= 0x2fa1f)
  )
}

const isAstralPunctuation = /\p{P}/u

export function kindOfAstral(code: number): number {
  if (isIdeograph(code)) return kind.ideograph
  const character = String.fromCodePoint(code)
  if (isDropped.test(character)) return kind.dropped
  return isAstralPunctuation.test(character) ? kind.punctuation : kind.other
}
