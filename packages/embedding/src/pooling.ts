import { miniLmModel } from './models.ts'
import { normalise } from './static.ts'
import { createWordPiece, endToken, startToken } from './wordpiece.ts'

const { dimensions } = miniLmModel

/** A model that is ready to run. */
export interface Runtime {
  /** For each row of tokens the sum of their vectors. A row's sum is the same alone and among others. */
  run(rows: readonly Uint16Array[]): Promise<Float32Array[]>
  close(): Promise<void>
}

const windowTokens = 254
/** What comes after this many windows of a text hardly moves its average. */
const mostWindows = 32

/** Embeds texts as the model was trained: the mean over their tokens, made one long; a longer text in even windows. */
export function createPooling(run: Runtime['run']): (texts: readonly string[]) => Promise<Float32Array[]> {
  const { encode } = createWordPiece()
  return async (texts) => {
    const windows = texts.map((text) => windowsOf(encode(text, mostWindows * windowTokens)))
    const sums = await run(windows.flat().map(rowOf))
    let next = 0
    return windows.map(({ length }) => {
      const own = sums.slice(next, next + length)
      next += length
      return normalise(own.reduce(plus, new Float32Array(dimensions)))
    })
  }
}

export function windowsOf(tokens: Uint16Array): Uint16Array[] {
  const count = Math.max(1, Math.ceil(tokens.length / windowTokens))
  const size = Math.ceil(tokens.length / count)
  return Array.from({ length: count }, (_, at) => tokens.subarray(at * size, (at + 1) * size))
}

function rowOf(window: Uint16Array): Uint16Array {
  return Uint16Array.of(startToken, ...window, endToken)
}

/** Adds one vector after the other to the sum. */
export function plus(sum: Float32Array, vectors: Float32Array): Float32Array {
  for (let start = 0; start < vectors.length; start += dimensions) {
    for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] as number) + (vectors[start + at] as number)
  }
  return sum
}
