import { miniLmModel } from './models.ts'
import { normalise } from './static.ts'
import { createWordPiece, endToken, startToken } from './wordpiece.ts'

const { dimensions } = miniLmModel

/** Runs the model on one row of tokens and gives a vector for each of them, one after the other. */
export type Run = (tokens: BigInt64Array) => Promise<Float32Array>

const windowTokens = 254
/** What comes after this many windows of a text hardly moves its average. */
const mostWindows = 32

/**
 * Embeds a text as the model was trained: the mean over its tokens, made one long; a longer text in even windows.
 * Each window is a run of its own: the 8-bit model scales its numbers by the largest in the run, so texts that share
 * one change each other's vectors, and from 32 tokens on sharing is no faster.
 */
export function createPooling(run: Run): (text: string) => Promise<Float32Array> {
  const { encode } = createWordPiece()
  return async (text) => {
    const sum = new Float32Array(dimensions)
    for (const window of windowsOf(encode(text, mostWindows * windowTokens))) addTokens(await run(rowOf(window)), sum)
    return normalise(sum)
  }
}

export function windowsOf(tokens: Uint16Array): Uint16Array[] {
  const count = Math.max(1, Math.ceil(tokens.length / windowTokens))
  const size = Math.ceil(tokens.length / count)
  return Array.from({ length: count }, (_, at) => tokens.subarray(at * size, (at + 1) * size))
}

function rowOf(window: Uint16Array): BigInt64Array {
  const row = new BigInt64Array(window.length + 2)
  // The upper halves stay zero, so the lower ones can be written as plain numbers.
  const words = new Uint32Array(row.buffer)
  words[0] = startToken
  for (let at = 0; at < window.length; at++) words[2 * (at + 1)] = window[at] as number
  words[2 * (window.length + 1)] = endToken
  return row
}

function addTokens(hidden: Float32Array, sum: Float32Array): void {
  for (let start = 0; start < hidden.length; start += dimensions) {
    for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] as number) + (hidden[start + at] as number)
  }
}
