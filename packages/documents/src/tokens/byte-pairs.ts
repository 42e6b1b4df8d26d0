import rankedTokens from 'gpt-tokenizer/bpeRanks/o200k_base'

/** More than the longest pre-token has: 64 UTF-16 code units of at most 3 bytes. */
const maxBytes = 256

const none = 0x7fffffff

/** The rank of each token of the vocabulary, keyed by its bytes as a Latin-1 string. */
const ranks = new Map<string, number>()
rankedTokens.forEach((token, rank) => {
  ranks.set(typeof token === 'string' ? asBytes(token) : String.fromCharCode(...token), rank)
})

const starts = new Int32Array(maxBytes + 1)
const pairRanks = new Int32Array(maxBytes + 1)

/** Byte pair encoding: merges the pair of the lowest rank until no pair is a token, and counts what is left. */
export function countByBytePairs(preToken: string): number {
  const bytes = asBytes(preToken)
  if (ranks.has(bytes)) return 1
  let parts = bytes.length
  for (let part = 0; part <= parts; part++) starts[part] = part
  for (let part = 0; part < parts; part++) pairRanks[part] = rankOfPair(bytes, part, parts)
  for (;;) {
    let best = 0
    let lowest = none
    for (let part = 0; part < parts - 1; part++) {
      const rank = pairRanks[part] ?? none
      if (rank < lowest) {
        lowest = rank
        best = part
      }
    }
    if (lowest === none) return parts
    starts.copyWithin(best + 1, best + 2, parts + 1)
    pairRanks.copyWithin(best + 1, best + 2, parts)
    parts--
    pairRanks[best] = rankOfPair(bytes, best, parts)
    if (best > 0) pairRanks[best - 1] = rankOfPair(bytes, best - 1, parts)
  }
}

function rankOfPair(bytes: string, part: number, parts: number): number {
  if (part + 2 > parts) return none
  return ranks.get(bytes.slice(starts[part], starts[part + 2])) ?? none
}

function asBytes(text: string): string {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > 127) return Buffer.from(text, 'utf8').toString('latin1')
  }
  return text
}
