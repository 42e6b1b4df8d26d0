import { bitCount } from './bitmap.ts'

/** Writes how many bits each of `count` codes differs from the query in. Codes are as long as the query. */
export function hammingDistances(codes: Uint32Array, count: number, query: Uint32Array, out: Uint16Array): void {
  const words = query.length
  for (let passage = 0, at = 0; passage < count; passage++) {
    let distance = 0
    for (let word = 0; word < words; word++, at++) {
      distance += bitCount((codes[at] as number) ^ (query[word] as number))
    }
    out[passage] = distance
  }
}
