import { readFileSync } from 'node:fs'
import { staticModel } from './models.ts'
import { createWordPiece } from './wordpiece.ts'

export interface StaticModel {
  /** The text's direction as a vector of length one, or of zeros where the text has no token. */
  embed(text: string): Float32Array
}

/** The built-in model that costs no more than tokenising: the sum of its tokens' vectors, made one long. */
export function createStaticModel(): StaticModel {
  const { encode } = createWordPiece()
  const { dimensions, longestText } = staticModel
  const rows = new Int8Array(modelFile('vectors.i8'))
  const scales = new Float32Array(modelFile('scales.f32'))

  return {
    embed(text) {
      const sum = new Float32Array(dimensions)
      for (const token of encode(text, longestText)) {
        const scale = scales[token] as number
        const row = token * dimensions
        for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] as number) + scale * (rows[row + at] as number)
      }
      return normalise(sum)
    },
  }
}

/** Makes a vector one long, in place. A vector of zeros stays as it is. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2
  if (squares === 0) return vector
  const factor = 1 / Math.sqrt(squares)
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) * factor
  return vector
}

/** Reads into memory of its own, as a typed array wants its bytes aligned. */
function modelFile(name: string): ArrayBuffer {
  const bytes = readFileSync(new URL(`../models/parley-static-256/${name}`, import.meta.url))
  return new Uint8Array(bytes).buffer
}
