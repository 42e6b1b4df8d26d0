import { miniLmModel } from './models.ts'
import type { Session } from './onnx-session.ts'
import { addVectors, normalize } from './vectors.ts'
import { createWordPiece, endToken, startToken } from './wordpiece.ts'

const maxWindowTokens = 254
/** Windows beyond these hardly change the mean. */
const maxWindows = 32

/** Mean pooling, as the model was trained: the mean of the token vectors, over all windows of a long text. */
export function createPooling(run: Session['run']): (text: string) => Promise<Float32Array> {
  const { encode } = createWordPiece()
  return async (text) => {
    const sum = new Float32Array(miniLmModel.dimensions)
    for (const window of splitIntoWindows(encode(text, maxWindows * maxWindowTokens))) {
      addVectors(sum, await run(Uint16Array.of(startToken, ...window, endToken)))
    }
    return normalize(sum)
  }
}

/** Windows of equal length, so that none is too short to have a meaning. */
export function splitIntoWindows(tokens: Uint16Array): Uint16Array[] {
  const count = Math.max(1, Math.ceil(tokens.length / maxWindowTokens))
  const size = Math.ceil(tokens.length / count)
  return Array.from({ length: count }, (_, at) => tokens.subarray(at * size, (at + 1) * size))
}
