import rankedTokens from 'gpt-tokenizer/bpeRanks/o200k_base'

/** A run of at most this many bytes can be merged. */
const mostBytes = 256

const none = 0x7fffffff

/** The rank of every token, by its bytes; a byte is written as the character of the same number. */
const ranks = new Map<string, number>()
rankedTokens.forEach((token, rank) => {
  ranks.set(typeof token === 'string' ? asBytes(token) : String.fromCharCode(...token), rank)
})

const starts = new Int32Array(mostBytes + 1)
const pairRanks = new Int32Array(mostBytes + 1)

/** How many tokens byte pair encoding leaves of a run: the pair of lowest rank is merged until no pair is a token. */
export function tokensOfRun(run: string): number {
  const bytes = asBytes(run)
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
