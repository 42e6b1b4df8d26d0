import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { normalize } from './vectors.ts'

/** Vectors that were computed before, by the hash of their text. */
export type KnownVectors = ReadonlyMap<string, string>

const hashLength = 22
const scale = 127

export const textHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, hashLength)

/** One line for each text: its hash and its vector, so that a change of one text changes one line. */
export function readKnownVectors(file: string): KnownVectors {
  const lines = readFileSync(file, 'latin1').split('\n').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(0, hashLength), line.slice(hashLength + 1)]))
}

export const formatKnownVectors = (vectors: KnownVectors): string =>
  [...vectors]
    .map(([hash, vector]) => `${hash} ${vector}\n`)
    .sort()
    .join('')

/** Numbers of 8 bits: the largest of a vector is 127, which changes its direction by less than a hundredth. */
export function encodeVector(vector: Float32Array): string {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / largest) * scale)).buffer).toString('base64')
}

export function decodeVector(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  return normalize(Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)))
}
