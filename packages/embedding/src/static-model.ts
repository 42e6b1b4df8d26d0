import { readFileSync } from 'node:fs'
import { staticModel } from './models.ts'
import { normalize } from './vectors.ts'
import { createWordPiece } from './wordpiece.ts'

export interface StaticModel {
  /** A vector of length 1, or of zeros if the text has no tokens. */
  embed(text: string): Float32Array
}

/** Sums one fixed vector per token, so that embedding takes little longer than tokenizing. */
export function createStaticModel(): StaticModel {
  const { encode } = createWordPiece()
  const { dimensions, maxTokens } = staticModel
  const rows = new Int8Array(readModelFile('vectors.i8'))
  const scales = new Float32Array(readModelFile('scales.f32'))

  return {
    embed(text) {
      const sum = new Float32Array(dimensions)
      for (const token of encode(text, maxTokens)) {
        const scale = scales[token] as number
        const row = token * dimensions
        for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] as number) + scale * (rows[row + at] as number)
      }
      return normalize(sum)
    },
  }
}

/** Copies the file into its own buffer: typed arrays need aligned bytes. */
function readModelFile(name: string): ArrayBuffer {
  const bytes = readFileSync(new URL(`../models/parley-static-256/${name}`, import.meta.url))
  return new Uint8Array(bytes).buffer
}
