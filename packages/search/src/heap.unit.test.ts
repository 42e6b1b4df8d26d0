import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import wabt from 'wabt'
import { hasBit } from './bitmap.ts'
import { Heap } from './heap.ts'
import { HeapColumn } from './heap-column.ts'

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

  it.each([
    [1, 0],
    [100, 0],
    [384, 0],
    [4, 4],
    [16, 16],
    [256, 256],
  ])('tell the signs of %i dimensions, %i of them spread over each other', (dimensions, spread) => {
    const padded = 16 * Math.ceil(dimensions / 16)
    fc.assert(
      fc.property(fc.int8Array({ minLength: dimensions, maxLength: dimensions }), (given) => {
        const heap = new Heap()
        const vector = put(
          heap,
          Uint8Array.from({ length: padded }, (_, at) => given[at] ?? 0),
        )
        const [values, code] = [heap.allocate(4 * padded), heap.allocate(padded / 8)]
        heap.kernels.signs(vector, dimensions, spread, values, code)
        // Each is a sum of all, with the sign that the bits which two numbers share give.
        const sumFor = (at: number) =>
          given.reduce((sum, value, from) => sum + (bits(at & from) % 2 === 1 ? -value : value), 0)
        const expected = [...given].map((value, at) => (spread === 0 ? value : sumFor(at)) > 0)
        const codes = new Uint32Array(heap.bytes.buffer, code, Math.ceil(padded / 32))
        expect(expected.map((_, at) => hasBit(codes, at))).toEqual(expected)
      }),
      { numRuns: 30 },
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

  it('compare a vector with many that lie here and there', () => {
    const vector = fc.int8Array({ minLength: 80, maxLength: 80 })
    const passage = fc.record({ place: fc.nat(767), vector, scale: fc.float({ min: 0, max: 1, noNaN: true }) })
    const passages = fc.uniqueArray(passage, { minLength: 1, maxLength: 20, selector: ({ place }) => place })
    fc.assert(
      fc.property(vector, passages, (query, others) => {
        const heap = new Heap()
        const blocks = [2, 0, 1].map(() => heap.allocate(256 * 80)).reverse()
        const scales = new Float32Array(768)
        for (const other of others) {
          const block = blocks[other.place >>> 8] as number
          heap.bytes.set(new Uint8Array(other.vector.buffer), block + (other.place & 255) * 80)
          scales[other.place] = other.scale
        }
        const words = (values: Uint32Array | Float32Array) => put(heap, new Uint8Array(values.buffer))
        const [queryAt, out] = [put(heap, new Uint8Array(query.buffer)), heap.allocate(4 * others.length)]
        const places = words(Uint32Array.from(others, ({ place }) => place))
        const [blocksAt, scalesAt] = [words(Uint32Array.from(blocks)), words(scales)]
        heap.kernels.cosines(queryAt, 0.5, blocksAt, scalesAt, 80, places, others.length, out)
        others.forEach((other, at) => {
          const product = other.vector.reduce((sum, value, dimension) => sum + value * (query[dimension] as number), 0)
          expect(heap.floats[(out >>> 2) + at]).toBe(Math.fround(Math.fround(0.5 * other.scale) * product))
        })
      }),
    )
  })

  it('find the distances within a limit, the first ones where there are too many', () => {
    const distance = fc.oneof(fc.nat(20), fc.nat(65_535))
    const word = fc.array(distance, { minLength: 32, maxLength: 32 })
    const words = fc.array(fc.tuple(word, fc.oneof(fc.nat(), fc.constant(-1))), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(words, fc.nat(25), fc.integer({ min: 0, max: 40 }), (given, limit, most) => {
        const heap = new Heap()
        const distances = given.flatMap(([each]) => each)
        const mask = Uint32Array.from(given, ([, each]) => each)
        const at = put(heap, new Uint8Array(Uint16Array.from(distances).buffer))
        const maskAt = put(heap, new Uint8Array(mask.buffer))
        const out = heap.allocate(4 * most)
        const found = heap.kernels.within(at, distances.length, limit, maskAt, out, most)
        const expected = [...distances.keys()].filter(
          (place) => (distances[place] as number) <= limit && hasBit(mask, place),
        )
        expect([...heap.words.subarray(out >>> 2, (out >>> 2) + found)]).toEqual(expected.slice(0, most))
      }),
    )
  })

  it('find the words of a text that begin in a marked way', () => {
    const letterOf = Uint8Array.from({ length: 128 }, (_, code) => {
      const place = 'abcdefghijklmnopqrstuvwxyz'.indexOf(String.fromCharCode(code).toLowerCase())
      return place + 1
    })
    const unit = fc.constantFrom(...'abAZ09 -_@[`{/:~\n')
    const text = fc.string({ unit, maxLength: 100 })
    fc.assert(
      fc.property(text, fc.uniqueArray(fc.nat(27 ** 3 - 1), { maxLength: 5000 }), (given, marks) => {
        const heap = new Heap()
        const textAt = put(heap, new TextEncoder().encode(given + '\0'.repeat(32)))
        const [lettersAt, marksAt] = [put(heap, letterOf), put(heap, new Uint8Array(27 ** 3))]
        const out = heap.allocate(8 * 60)
        for (const mark of marks) heap.bytes[marksAt + mark] = 1
        const isMarked = (start: number) => {
          const [first, second, third] = [0, 1, 2].map((at) => letterOf[given.charCodeAt(start + at)] ?? 0)
          return marks.includes(((first as number) * 27 + (second as number)) * 27 + (third as number))
        }
        const expected = [...given.matchAll(/[a-z0-9]+/gi)]
          .filter(({ index }) => isMarked(index))
          .flatMap(({ index, 0: word }) => [index, index + word.length])
        const count = heap.kernels.words(textAt, given.length, lettersAt, marksAt, out)
        expect([...heap.words.subarray(out >>> 2, (out >>> 2) + 2 * count)]).toEqual(expected)
      }),
    )
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

  it('lends memory for a while', () => {
    const heap = new Heap()
    const [first, second] = [500, 400].map((size) => heap.lend(size, (address) => address))
    expect(second).toBe(first)
    expect(() =>
      heap.lend(16, () => {
        throw new Error('No luck.')
      }),
    ).toThrow('No luck.')
    expect(heap.used).toBe(0)
  })

  it('has columns that grow and keep what is in them', () => {
    const heap = new Heap()
    const [words, floats] = [new HeapColumn(heap), new HeapColumn(heap)]
    for (let at = 0; at < 3000; at += 7) {
      words.setWord(at, at + 2 ** 31)
      floats.setFloat(at, at / 8)
    }
    for (let at = 0; at < 3000; at += 7) expect([words.word(at), floats.float(at)]).toEqual([at + 2 ** 31, at / 8])
    for (const column of [words, floats]) column.release()
    expect(heap.used).toBe(0)
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
