import { DocumentError } from './document.ts'

/** Collects the text of a document in pieces, knows where it stands, and stops at the bound. */
export class TextWriter {
  readonly #most: number
  readonly #parts: string[] = []
  #length = 0

  constructor(textCharacters: number) {
    this.#most = textCharacters
  }

  get length(): number {
    return this.#length
  }

  /** Adds a piece and tells where it begins. */
  write(piece: string): number {
    const start = this.#length
    this.#length += piece.length
    if (this.#length > this.#most) throw tooMuchText(this.#most)
    this.#parts.push(piece)
    return start
  }

  toString(): string {
    return this.#parts.join('')
  }
}

export const tooMuchText = (most: number): DocumentError =>
  new DocumentError(
    'too_large',
    `The document holds more than ${Math.round(most / 1024 / 1024)} million characters of text; split it into smaller files.`,
  )

/** The text of a nicer form, unless that would be too long. */
export function unlessTooLong(nicer: () => string): string | undefined {
  try {
    return nicer()
  } catch (error) {
    if (error instanceof DocumentError && error.code === 'too_large') return undefined
    throw error
  }
}
