import type { ChunkVector } from './search-index.ts'

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

/** The vectors must have the model and the dimensions of those in the index. */
export function checkVectors(
  row: { model: string | null; dimensions: number | null },
  model: string,
  vectors: readonly ChunkVector[],
): number {
  const dimensions = row.dimensions ?? vectors[0]?.vector.length ?? 0
  if (row.model && row.model !== model) {
    throw new Error(`The index has vectors of ${row.model}; vectors of ${model} need an index of their own.`)
  }
  const wrong = vectors.find(({ vector }) => vector.length !== dimensions || vector.length === 0)
  if (wrong) {
    throw new Error(
      `The vector of chunk ${wrong.chunkId} has ${wrong.vector.length} dimensions; the index has ${dimensions}.`,
    )
  }
  return dimensions
}
