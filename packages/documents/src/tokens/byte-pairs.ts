import { loadVocabulary, notAToken } from './vocabulary.ts'

/** More than the longest pre-token has: 64 UTF-16 code units of at most 3 bytes. */
const maxBytes = 256

const vocabulary = loadVocabulary()
const encoder = new TextEncoder()

const bytes = new Uint8Array(maxBytes)
const starts = new Int32Array(maxBytes + 1)
const pairRanks = new Int32Array(maxBytes + 1)

/** Byte pair encoding: merges the pair of the lowest rank until no pair is a token, and counts the remaining tokens. */
export function countByBytePairs(preToken: string): number {
  const length = encoder.encodeInto(preToken, bytes).written
  if (vocabulary.rank(bytes, 0, length) !== notAToken) return 1
  let parts = length
  for (let part = 0; part <= parts; part++) starts[part] = part
  for (let part = 0; part < parts; part++) pairRanks[part] = rankOfPair(part, parts)
  for (;;) {
    let best = 0
    let lowest = notAToken
    for (let part = 0; part < parts - 1; part++) {
      const rank = pairRanks[part] ?? notAToken
      if (rank < lowest) {
        lowest = rank
        best = part
      }
    }
    if (lowest === notAToken) return parts
    starts.copyWithin(best + 1, best + 2, parts + 1)
    pairRanks.copyWithin(best + 1, best + 2, parts)
    parts--
    pairRanks[best] = rankOfPair(best, parts)
    if (best > 0) pairRanks[best - 1] = rankOfPair(best - 1, parts)
  }
}

function rankOfPair(part: number, parts: number): number {
  if (part + 2 > parts) return notAToken
  return vocabulary.rank(bytes, starts[part] ?? 0, starts[part + 2] ?? 0)
}
