import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import wabt from 'wabt'
import { bitCount } from './bitmap.ts'
import { HammingCodes } from './hamming.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url))

it('runs what its source assembles to', async () => {
  const assembler = await wabt()
  const module = assembler.parseWat('hamming.wat', read('./hamming.wat').toString(), { simd: true })
  expect(read('./hamming.wasm').equals(module.toBinary({}).buffer)).toBe(true)
})

it.each([128, 256, 384, 1536])('counts the bits that differ in codes of %i dimensions', (dimensions) => {
  const size = dimensions / 8
  const code = fc.uint8Array({ minLength: size, maxLength: size })
  fc.assert(
    fc.property(code, fc.array(code, { minLength: 1, maxLength: 9 }), (query, added) => {
      const codes = new HammingCodes(dimensions)
      added.forEach((each, passage) => {
        codes.set(passage, each)
      })
      const out = new Uint16Array(added.length)
      codes.distances(query, out)
      const expected = added.map((each) =>
        each.reduce((sum, byte, at) => sum + bitCount(byte ^ (query[at] as number)), 0),
      )
      expect([...out]).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

it('compares more codes than fit into one call and one page of memory', () => {
  const codes = new HammingCodes(256)
  const count = 10_000
  for (let passage = 0; passage < count; passage++) codes.set(passage, new Uint8Array(32).fill(passage % 256))
  const out = new Uint16Array(count)
  codes.distances(new Uint8Array(32), out)
  expect(out.every((distance, passage) => distance === 32 * bitCount(passage % 256))).toBe(true)
})
