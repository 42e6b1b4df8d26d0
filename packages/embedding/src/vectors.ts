/** Scales a vector to length 1, in place. A zero vector stays as it is. */
export function normalize(vector: Float32Array): Float32Array {
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2
  if (squares === 0) return vector
  const factor = 1 / Math.sqrt(squares)
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) * factor
  return vector
}

/** Adds each of the concatenated vectors to the sum, in place. */
export function addVectors(sum: Float32Array, vectors: Float32Array): void {
  for (let start = 0; start < vectors.length; start += sum.length) {
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (vectors[start + at] as number)
  }
}
