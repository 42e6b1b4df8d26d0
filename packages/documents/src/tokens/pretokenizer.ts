import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'

// The pattern can overflow the stack on a very long match, so it only sees this much text at once.
const windowLength = 16_384

const pattern = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'uy')

const other = 0
const lower = 1
const upper = 2
const digit = 3
const lineEnd = 4
const blank = 5
const punctuation = 6
const apostrophe = 7

const kinds = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) kinds[code] = lower
  else if (/[A-Z]/.test(character)) kinds[code] = upper
  else if (/[0-9]/.test(character)) kinds[code] = digit
  else if (/[\r\n]/.test(character)) kinds[code] = lineEnd
  else if (/\s/.test(character)) kinds[code] = blank
  else kinds[code] = character === "'" ? apostrophe : punctuation
}

/**
 * Splits a text into pre-tokens, which the o200k_base encoding never merges: a word with the space before it, up to
 * three digits, punctuation, line ends. ASCII text is split by hand, several times faster than by the encoding's own
 * pattern. The pattern decides all other cases.
 */
export class PreTokenizer {
  readonly #text: string
  #window = ''
  #windowStart = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The end of the pre-token that starts at `start`. */
  end(start: number): number {
    return this.#asciiEnd(start) || this.#patternEnd(start)
  }

  /** 0 if the pattern has to decide. */
  #asciiEnd(start: number): number {
    const kind = this.#kind(start)
    const next = this.#kind(start + 1)
    switch (kind) {
      case lower:
      case upper:
        return this.#wordEnd(start)
      case digit:
        return this.#digitsEnd(start)
      case lineEnd:
        return next === lineEnd || next === blank || next === other ? 0 : start + 1
      case blank:
        if (next === lower || next === upper) return this.#wordEnd(start + 1)
        if (this.#text.charCodeAt(start) !== 32) return 0
        if (next === digit) return start + 1
        return next === punctuation || next === apostrophe ? this.#punctuationEnd(start + 2) : 0
      case punctuation:
      case apostrophe:
        if (next === lower || next === upper) return kind === punctuation ? this.#wordEnd(start + 1) : 0
        return this.#punctuationEnd(start + 1)
      default:
        return 0
    }
  }

  #wordEnd(start: number): number {
    let at = start
    while (this.#kind(at) === upper) at++
    while (this.#kind(at) === lower) at++
    const kind = this.#kind(at)
    return kind === apostrophe || (kind === other && at < this.#text.length) ? 0 : at
  }

  #digitsEnd(start: number): number {
    let at = start + 1
    while (at < start + 3 && this.#kind(at) === digit) at++
    return at < start + 3 && this.#kind(at) === other && at < this.#text.length ? 0 : at
  }

  #punctuationEnd(start: number): number {
    let at = start
    let kind = this.#kind(at)
    while (kind === punctuation || kind === apostrophe) kind = this.#kind(++at)
    return kind === lineEnd || (kind === other && at < this.#text.length) ? 0 : at
  }

  #kind(at: number): number {
    const code = this.#text.charCodeAt(at)
    return code < 128 ? (kinds[code] ?? other) : other
  }

  #patternEnd(start: number): number {
    if (start < this.#windowStart || start + windowLength / 2 > this.#windowStart + this.#window.length) {
      this.#windowStart = start
      this.#window = this.#text.slice(start, start + windowLength)
    }
    pattern.lastIndex = start - this.#windowStart
    const length = pattern.exec(this.#window)?.[0].length ?? 1
    return Math.min(start + length, this.#text.length)
  }
}
