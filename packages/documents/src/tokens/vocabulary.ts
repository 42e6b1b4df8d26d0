import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** One line per token, in the order of the ranks: its bytes in Base64, a space and its rank. */
const file = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken')

export const notAToken = 0x7fffffff

const slotCount = 2 ** 19
const lineEnd = 10
const space = 32
const padding = -1

const base64Digits = new Int8Array(128).fill(padding)
Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/').forEach((character, digit) => {
  base64Digits[character] = digit
})

export interface Vocabulary {
  /** The rank of the token with these bytes, or `notAToken`. */
  rank(bytes: Uint8Array, start: number, end: number): number
}

/**
 * The ranks of the tokens of o200k_base, in a hash table over their bytes. A map of strings would take four times as
 * long to load and 50 MB more, in every thread and process that counts tokens.
 */
export function loadVocabulary(): Vocabulary {
  const lines = readFileSync(file)
  /** The bytes of all tokens, one behind the other. */
  const tokens = new Uint8Array(lines.length)
  /** Where each token starts, by rank. */
  const starts = new Int32Array(slotCount)
  /** Open addressing: the rank of the token in a slot plus one, or 0. */
  const slots = new Int32Array(slotCount)

  const equals = (rank: number, bytes: Uint8Array, start: number, end: number): boolean => {
    const offset = (starts[rank] as number) - start
    if ((starts[rank + 1] as number) - offset !== end) return false
    for (let at = start; at < end; at++) if (tokens[at + offset] !== bytes[at]) return false
    return true
  }
  /** The slot of the token with these bytes, or the empty slot where it would be. */
  const findSlot = (bytes: Uint8Array, start: number, end: number): number => {
    let hash = 0x811c9dc5
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
    let slot = (hash ^ (hash >>> 15)) & (slotCount - 1)
    for (;;) {
      const entry = slots[slot] as number
      if (entry === 0 || equals(entry - 1, bytes, start, end)) return slot
      slot = (slot + 1) & (slotCount - 1)
    }
  }

  let length = 0
  let rank = 0
  let bits = 0
  let pending = 0
  for (let at = 0; at < lines.length; at++) {
    const character = lines[at] as number
    if (character === space) {
      starts[rank + 1] = length
      slots[findSlot(tokens, starts[rank] as number, length)] = ++rank
      pending = 0
      while (lines[at] !== lineEnd) at++
      continue
    }
    const digit = base64Digits[character] as number
    if (digit === padding) continue
    bits = (bits << 6) | digit
    pending += 6
    if (pending >= 8) {
      pending -= 8
      tokens[length++] = bits >> pending
    }
  }
  return { rank: (bytes, start, end) => (slots[findSlot(bytes, start, end)] || notAToken + 1) - 1 }
}
