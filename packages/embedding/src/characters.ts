/**
 * How the tokenizer treats a character. `letter` is ASCII and needs at most lowercasing; `other` needs folding. Surrogates
 * are `other`: the tokenizer looks at the whole pair.
 */
export const characterType = { letter: 0, space: 1, punctuation: 2, ideograph: 3, dropped: 4, other: 5 } as const

const isSpace = /[\s\p{Zs}]/u
const isPunctuation = /[\p{P}$+<=>^`|~]/u
const isDropped = /[\p{C}�]/u

/** The type of every UTF-16 code unit, so that tokenizing takes one array access per character. */
export function createTypeTable(): Uint8Array {
  return Uint8Array.from({ length: 0x10000 }, (_, code) => classifyCharacter(code))
}

function classifyCharacter(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return characterType.other
  const character = String.fromCharCode(code)
  if (isSpace.test(character)) return characterType.space
  if (isDropped.test(character)) return characterType.dropped
  if (isPunctuation.test(character)) return characterType.punctuation
  if (isIdeograph(code)) return characterType.ideograph
  return code < 0x80 ? characterType.letter : characterType.other
}

/** The Unicode blocks that BERT splits into single characters: Chinese ideographs, but not kana or hangul. */
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

export function typeOfAstral(code: number): number {
  if (isIdeograph(code)) return characterType.ideograph
  const character = String.fromCodePoint(code)
  if (isDropped.test(character)) return characterType.dropped
  return isAstralPunctuation.test(character) ? characterType.punctuation : characterType.other
}
