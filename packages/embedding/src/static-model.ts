import { readFileSync } from 'node:fs'
import { staticModel } from './models.ts'
import { normalize } from './vectors.ts'
import { createWordPiece, unknownToken } from './wordpiece.ts'

export interface StaticModel {
  /** A vector of length 1, or of zeros if the text has no tokens. */
  embed(text: string): Float32Array
  /** How well the built-in models know the language of a text, from almost 0 to 1. */
  familiarity(text: string): number
}

/** Longer texts are judged by their beginning. */
const maxJudgedLength = 1000
/**
 * Letters per token. The vocabulary has most English words as one token (4 letters on average), German in pieces (2.5), Turkish
 * and Vietnamese in smaller ones (1.9), and Russian, Hindi and Chinese letter by letter (1).
 */
const lettersPerToken = { foreign: 1, familiar: 3.5 }
/** Not 0, so that vectors still order passages that no word tells apart. */
const minFamiliarity = 0.05

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

    familiarity(text) {
      const judged = text.slice(0, maxJudgedLength)
      const tokens = encode(judged)
      const known = tokens.filter((token) => token !== unknownToken).length
      const letters = judged.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0
      const average = (letters / Math.max(1, tokens.length)) * (known / Math.max(1, tokens.length))
      const share = (average - lettersPerToken.foreign) / (lettersPerToken.familiar - lettersPerToken.foreign)
      return Math.min(1, Math.max(minFamiliarity, share))
    },
  }
}

/** Copies the file into its own buffer: typed arrays need aligned bytes. */
function readModelFile(name: string): ArrayBuffer {
  const bytes = readFileSync(new URL(`../models/parley-static-256/${name}`, import.meta.url))
  return new Uint8Array(bytes).buffer
}
