/** A vector in storage: one signed byte a dimension, then the factor that scales it to length one. */
export function encodeVector(vector: Float32Array): Uint8Array {
  let largest = 0
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] as number
    largest = Math.max(largest, Math.abs(value))
    squares += value * value
  }
  const step = largest === 0 || !Number.isFinite(squares) ? 0 : 127 / largest
  const encoded = new Uint8Array(vector.length + 4)
  const bytes = new Int8Array(encoded.buffer)
  for (let at = 0; at < vector.length; at++) bytes[at] = Math.round((vector[at] as number) * step)
  new DataView(encoded.buffer).setFloat32(vector.length, step === 0 ? 0 : 1 / (step * Math.sqrt(squares)), true)
  return encoded
}

export function decodeVector(encoded: Uint8Array): { values: Int8Array; scale: number } {
  const { buffer, byteOffset, length } = encoded
  const dimensions = length - 4
  const scale = new DataView(buffer, byteOffset, length).getFloat32(dimensions, true)
  return { values: new Int8Array(buffer, byteOffset, dimensions), scale }
}
