import { describe, expect, it } from 'vitest'
import { createKernels, heads, innerWidth, type Kernels, width } from './kernels.ts'
import { packed } from './model.ts'
import { repeats } from './rows.ts'
import { createSpace, type Space } from './space.ts'

const headWidth = width / heads

/** Numbers that look random and are the same every time. */
function numbers(length: number, largest = 1): Float32Array {
  let state = length
  return new Float32Array(length).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state / 2 ** 31 - 1) * largest
  })
}

const bytes = (length: number) => Int8Array.from(numbers(length, 127))

/** As the kernels that multiply want them. */
const repeated = (values: Int8Array): Int8Array =>
  new Int8Array(values.length * repeats).map((_, at) => values[4 * Math.floor(at / (4 * repeats)) + (at % 4)] as number)

function keep(space: Space, values: Int8Array): number {
  const address = space.bytes(values.length)
  space.int8(address, values.length).set(values)
  return address
}

// Where the processor is one, its own instruction is tried, too.
const ways = process.arch === 'arm64' ? [false, true] : [false]

describe.each(ways)('kernels, made for ARM: %s', (isArm) => {
  const given = (): { kernels: Kernels; space: Space } => {
    const memory = new WebAssembly.Memory({ initial: 1 })
    return { kernels: createKernels(memory, isArm), space: createSpace(memory) }
  }

  it.each([
    ['project', width, 1],
    ['project', width, 7],
    ['project', width, 17],
    ['projectAdd', width, 4],
    ['contractAdd', innerWidth, 6],
    ['contractAdd', innerWidth, 10],
    ['contractAdd', innerWidth, 25],
  ] as const)('%s multiplies rows of %i bytes with a table, %i of them', (name, depth, rows) => {
    const { kernels, space } = given()
    const columns = 272
    const [left, right, scales, tableScales, bias, there] = [
      bytes(rows * depth),
      bytes(depth * columns),
      numbers(rows),
      numbers(columns),
      numbers(columns),
      numbers(rows * columns),
    ]
    const out = space.keep(there)
    const from = keep(space, repeated(left))
    const table = keep(space, packed(right, depth, columns))
    kernels[name](from, space.keep(scales), rows, table, space.keep(tableScales), space.keep(bias), out, columns)
    const expected = Array.from({ length: rows * columns }, (_, at) => {
      const [row, column] = [Math.floor(at / columns), at % columns]
      let sum = 0
      for (let k = 0; k < depth; k++) sum += (left[row * depth + k] ?? 0) * (right[k * columns + column] ?? 0)
      const value = sum * (scales[row] ?? 0) * (tableScales[column] ?? 0) + (bias[column] ?? 0)
      return value + (name === 'project' ? 0 : (there[at] ?? 0))
    })
    expectNear(space.float32(out, rows * columns), expected)
  })

  it('placeWord makes numbers of a word and adds those of its place', () => {
    const { kernels, space } = given()
    const [word, place] = [Uint8Array.from(numbers(width, 127), (value) => value + 128), numbers(width)]
    const out = space.floats(width)
    kernels.placeWord(
      keep(space, new Int8Array(word.buffer)),
      space.keep(Float32Array.of(0.03)),
      space.keep(place),
      out,
    )
    expectNear(
      space.float32(out, width),
      [...word].map((value, at) => value * 0.03 + (place[at] ?? 0)),
    )
  })

  it.each([1, 3])('addUp makes one row of %i', (rows) => {
    const { kernels, space } = given()
    const [values, out] = [numbers(rows * width), space.floats(width)]
    kernels.addUp(space.keep(values), rows, out)
    const expected = Array.from({ length: width }, (_, column) =>
      values.reduce((sum, value, at) => sum + (at % width === column ? value : 0), 0),
    )
    expectNear(space.float32(out, width), expected)
  })

  it('quantise makes the largest number of a row 127', () => {
    const { kernels, space } = given()
    const values = Float32Array.from([...numbers(64), ...numbers(64, 1000), ...new Float32Array(64)])
    const written = asBytes(space, 3, 64)
    kernels.quantise(space.keep(values), 3, 64, written.bytes, written.scales)
    written.expectToStandFor(values)
  })

  it('gelu takes the share of the normal distribution that is below', () => {
    const { kernels, space } = given()
    const values = Float32Array.from([...numbers(128, 6), ...numbers(127), 1000, ...numbers(128).map((x) => x - 2)])
    const written = asBytes(space, 3, 128)
    const at = space.keep(values)
    kernels.gelu(at, 3, 128, written.bytes, written.scales)
    const found = space.float32(at, values.length)
    expectNear(
      found,
      [...values].map((x) => x * phi(x)),
    )
    written.expectToStandFor(found, 0.16998)
  })

  it('normalise makes the mean 0 and the variance 1, then scales and shifts', () => {
    const { kernels, space } = given()
    const even = new Float32Array(64).fill(0.5)
    const [values, scale, shift] = [Float32Array.from([...numbers(128, 6), ...even]), numbers(64, 2), numbers(64)]
    const written = asBytes(space, 3, 64)
    const at = space.keep(values)
    kernels.normalise(at, 3, 64, space.keep(scale), space.keep(shift), written.bytes, written.scales)
    const found = space.float32(at, values.length)
    for (const row of [0, 1, 2]) {
      const own = [...values.subarray(64 * row, 64 * (row + 1))]
      const mean = own.reduce((one, other) => one + other) / 64
      const deviation = Math.sqrt(own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 64) || 1
      expectNear(
        found.subarray(64 * row, 64 * (row + 1)),
        own.map((value, column) => ((value - mean) / deviation) * (scale[column] ?? 0) + (shift[column] ?? 0)),
      )
    }
    written.expectToStandFor(found)
  })

  it.each([1, 2, 3, 4, 5, 17, 32, 50])(
    'attend mixes the values of %i rows by what their keys and queries share',
    (length) => {
      const { kernels, space } = given()
      const stride = 3 * width
      const values = numbers((length + 4) * stride, 1.5)
      const out = space.floats((length + 4) * width)
      kernels.attend(space.keep(values), length, space.floats(4 * (length + 4)), out)
      const rows = Array.from({ length }, (_, row) => values.subarray(row * stride, (row + 1) * stride))
      const expected = rows.flatMap((row) =>
        Array.from({ length: heads }, (_, head) => {
          const part = (of: Float32Array, which: number) =>
            of.subarray(which * width + head * headWidth, which * width + (head + 1) * headWidth)
          const query = part(row, 0)
          const shares = rows.map(
            (other) => 2 ** part(other, 1).reduce((sum, key, at) => sum + key * (query[at] ?? 0), 0),
          )
          const sum = shares.reduce((one, other) => one + other)
          return Array.from({ length: headWidth }, (_, column) =>
            rows.reduce((mixed, other, at) => mixed + ((shares[at] ?? 0) / sum) * (part(other, 2)[column] ?? 0), 0),
          )
        }).flat(),
      )
      expectNear(space.float32(out, length * width), expected)
    },
  )
})

/** Where rows are to be written as bytes, and a look at what was written. */
function asBytes(space: Space, rows: number, width: number) {
  const [bytes, scales] = [space.bytes(rows * width * repeats), space.floats(rows)]
  const expectToStandFor = (values: Float32Array, least = 0) => {
    const all = space.int8(bytes, rows * width * repeats)
    const made = all.filter((_, at) => at % (4 * repeats) < 4)
    expect(all).toEqual(repeated(made))
    for (const [row, scale] of space.float32(scales, rows).entries()) {
      const own = [...values.subarray(width * row, width * (row + 1))]
      const largest = Math.max(least, ...own.map(Math.abs))
      expect(scale).toBeCloseTo(largest / 127, 5)
      expect([...made.subarray(width * row, width * (row + 1))]).toEqual(
        own.map((value) => Math.round((largest && value / largest) * 127) + 0),
      )
    }
  }
  return { bytes, scales, expectToStandFor }
}

function expectNear(found: Float32Array, expected: number[]): void {
  expect(found.length).toBe(expected.length)
  const worst = Math.max(
    ...expected.map((value, at) => Math.abs(value - (found[at] ?? Number.NaN)) / (1 + Math.abs(value))),
  )
  expect(worst).toBeLessThan(1e-5)
}

/** The share of a normal distribution below x, summed up in small steps. */
function phi(x: number): number {
  let sum = 0
  const steps = 20_000
  for (let at = 0; at < steps; at++) sum += Math.exp(-0.5 * (((at + 0.5) / steps) * x) ** 2)
  return 0.5 + (sum * (x / steps)) / Math.sqrt(2 * Math.PI)
}
