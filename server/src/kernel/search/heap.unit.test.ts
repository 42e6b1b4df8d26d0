import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import wabt from 'wabt'
import { Heap } from './heap.ts'

const here = (file: string) => new URL(file, import.meta.url)
const bits = (value: number) => value.toString(2).replaceAll('0', '').length
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

function put(heap: Heap, data: Uint8Array): number {
  const address = heap.allocate(data.length)
  heap.bytes.set(data, address)
  return address
}

describe('kernels', () => {
  it('are what their source assembles to', async () => {
    const assembler = await wabt()
    const module = assembler.parseWat('kernels.wat', readFileSync(here('./kernels.wat'), 'utf8'), { simd: true })
    expect(readFileSync(here('./kernels.wasm')).equals(module.toBinary({}).buffer)).toBe(true)
  })

  it.each([16, 32, 48, 192])('count the bits that differ in codes of %i bytes', (size) => {
    fc.assert(
      fc.property(bytes(size), fc.array(bytes(size), { minLength: 1, maxLength: 9 }), (query, some) => {
        const heap = new Heap()
        const codes = Array.from({ length: 8 }, () => some).flat() // eight at a time is how one of them counts
        const [queryAt, codesAt] = [put(heap, query), put(heap, Uint8Array.from(codes.flatMap((code) => [...code])))]
        const expected = codes.map((code) =>
          code.reduce((sum, byte, at) => sum + bits(byte ^ (query[at] as number)), 0),
        )
        const out = heap.allocate(codes.length * 2)
        const read = () => [...new Uint16Array(heap.bytes.buffer, out, codes.length)]
        heap.kernels.distances(codesAt, size, codes.length, queryAt, out)
        expect(read()).toEqual(expected)
        if (size !== 32) return
        heap.kernels.distances32(codesAt, codes.length, queryAt, out)
        expect(read()).toEqual(expected)
      }),
    )
  })

  it('multiply vectors', () => {
    const vector = fc.int8Array({ minLength: 48, maxLength: 48 })
    fc.assert(
      fc.property(vector, vector, (one, other) => {
        const heap = new Heap()
        const [oneAt, otherAt] = [put(heap, new Uint8Array(one.buffer)), put(heap, new Uint8Array(other.buffer))]
        const expected = one.reduce((sum, value, at) => sum + value * (other[at] as number), 0)
        expect(heap.kernels.dot(oneAt, otherAt, 48)).toBe(expected)
      }),
    )
  })

  it('multiply a vector with many that lie here and there', () => {
    const vector = fc.int8Array({ minLength: 80, maxLength: 80 })
    fc.assert(
      fc.property(vector, fc.array(vector, { minLength: 1, maxLength: 20 }), (query, others) => {
        const heap = new Heap()
        const places = others.map((other) => put(heap, new Uint8Array(other.buffer))).reverse()
        const queryAt = put(heap, new Uint8Array(query.buffer))
        const addresses = put(heap, new Uint8Array(Uint32Array.from(places).buffer))
        const out = heap.allocate(4 * others.length)
        heap.kernels.dots(queryAt, addresses, others.length, 80, out)
        const expected = others.map((other) => other.reduce((sum, value, at) => sum + value * (query[at] as number), 0))
        expect([...new Int32Array(heap.bytes.buffer, out, others.length)]).toEqual(expected.reverse())
      }),
    )
  })

  it('find the distances within a limit, the first ones where there are too many', () => {
    const heap = new Heap()
    const distances = Uint16Array.from([9, 3, 65_535, 4, 5, 40_000, 3, 0, 1, 9, 9, 9, 9, 9, 9, 2])
    const at = put(heap, new Uint8Array(distances.buffer))
    const out = heap.allocate(64)
    const within = (limit: number, most: number) => [
      ...new Uint32Array(heap.bytes.buffer, out, heap.kernels.within(at, 16, limit, out, most)),
    ]
    expect(within(4, 16)).toEqual([1, 3, 6, 7, 8, 15])
    expect(within(4, 3)).toEqual([1, 3, 6])
    expect(within(65_535, 16).length).toBe(16)
  })

  it('find the largest of every 32 scores', () => {
    const heap = new Heap()
    const scores = Float32Array.from({ length: 64 }, (_, at) => (at === 17 ? 3.5 : at === 63 ? 0.25 : 0))
    const at = put(heap, new Uint8Array(scores.buffer))
    const out = heap.allocate(8)
    heap.kernels.maxima(at, 64, out)
    expect([...new Float32Array(heap.bytes.buffer, out, 2)]).toEqual([3.5, 0.25])
  })
})

describe('the heap', () => {
  it('keeps what lies in it when it grows, and uses freed memory again', () => {
    const heap = new Heap()
    const first = put(heap, Uint8Array.of(1, 2, 3))
    const large = heap.allocate(10_000_000)
    expect([...heap.bytes.subarray(first, first + 3)]).toEqual([1, 2, 3])
    const size = heap.bytes.length
    heap.release(large, 10_000_000)
    expect(heap.allocate(10_000_000)).toBe(large)
    expect(heap.bytes.length).toBe(size)
  })

  it('gives no memory twice', () => {
    const heap = new Heap()
    const places = Array.from({ length: 100 }, (_, at) => [heap.allocate(at + 1), at + 1] as const)
    places.sort(([one], [other]) => one - other)
    places.forEach(([address, size], at) => {
      const next = places[at + 1]
      if (next) expect(address + size).toBeLessThanOrEqual(next[0])
    })
  })
})
