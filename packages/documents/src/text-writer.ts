import { DocumentError } from './document.ts'

/** Builds the text of a document, keeps its length, and throws when it gets too long. */
export class TextWriter {
  readonly #maxLength: number
  readonly #parts: string[] = []
  #length = 0

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  get length(): number {
    return this.#length
  }

  /** Appends a piece and returns its start. */
  write(piece: string): number {
    const start = this.#length
    this.#length += piece.length
    if (this.#length > this.#maxLength) throw tooMuchText(this.#maxLength)
    this.#parts.push(piece)
    return start
  }

  toString(): string {
    return this.#parts.join('')
  }
}

export const tooMuchText = (maxLength: number): DocumentError =>
  new DocumentError(
    'too_large',
    `The document holds more than ${Math.round(maxLength / 1024 / 1024)} million characters of text; split it into smaller files.`,
  )

/** The result of `format`, or undefined if it would be too long. */
export function unlessTooLong(format: () => string): string | undefined {
  try {
    return format()
  } catch (error) {
    if (error instanceof DocumentError && error.code === 'too_large') return undefined
    throw error
  }
}
