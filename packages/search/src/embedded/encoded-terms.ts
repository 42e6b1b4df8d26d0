/** Terms and counts in one blob: four bytes for each term, then one for each count. */
export function encodeTerms(terms: Uint32Array, counts: Uint8Array): Uint8Array {
  const encoded = new Uint8Array(terms.length * 5)
  encoded.set(new Uint8Array(terms.buffer, terms.byteOffset, terms.byteLength))
  encoded.set(counts, terms.length * 4)
  return encoded
}

export function decodeTerms(encoded: Uint8Array): { terms: Uint32Array; counts: Uint8Array } {
  const count = encoded.length / 5
  const copy = new Uint8Array(encoded) // a copy, because a Uint32Array must be aligned
  return { terms: new Uint32Array(copy.buffer, 0, count), counts: copy.subarray(count * 4) }
}
