import { describe, expect, it } from 'vitest'
import { createKernels, innerWidth, type Kernels, width } from './kernels.ts'
import { packed } from './model.ts'
import { repeats } from './rows.ts'
import { createSpace, type Space } from './space.ts'

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

  it('quantise makes the largest number of a row 127', () => {
    const { kernels, space } = given()
    const values = Float32Array.from([...numbers(64), ...numbers(64, 1000), ...new Float32Array(64)])
    const [out, scales] = [space.bytes(3 * 64 * repeats), space.floats(3)]
    kernels.quantise(space.keep(values), 3, 64, out, scales)
    const [all, factors] = [space.int8(out, 3 * 64 * repeats), space.float32(scales, 3)]
    const made = all.filter((_, at) => at % (4 * repeats) < 4)
    expect(all).toEqual(repeated(made))
    for (const row of [0, 1]) {
      const own = [...values.subarray(64 * row, 64 * (row + 1))]
      const largest = Math.max(...own.map(Math.abs))
      expect(factors[row]).toBeCloseTo(largest / 127, 5)
      expect([...made.subarray(64 * row, 64 * (row + 1))]).toEqual(
        own.map((value) => Math.round((value / largest) * 127)),
      )
    }
    expect([...made.subarray(128)]).toEqual(Array(64).fill(0))
  })

  it('gelu, softmax and normalise do what they say', () => {
    const { kernels, space } = given()
    const values = numbers(32, 6)
    const gelu = space.keep(values)
    kernels.gelu(gelu, 32)
    expectNear(
      space.float32(gelu, 32),
      [...values].map((x) => x * phi(x)),
    )

    const shares = space.keep(values)
    kernels.softmax(shares, 2, 13, 64)
    for (const row of [0, 1]) {
      const powers = [...values.subarray(16 * row, 16 * row + 13)].map(Math.exp)
      const sum = powers.reduce((one, other) => one + other)
      const expected = [...powers.map((power) => power / sum), 0, 0, 0]
      expectNear(space.float32(shares + 64 * row, 16), expected)
    }

    const norm = space.keep(values)
    kernels.normalise(norm, 2, 16, space.keep(new Float32Array(16).fill(2)), space.keep(new Float32Array(16).fill(1)))
    for (const row of [0, 1]) {
      const own = [...values.subarray(16 * row, 16 * (row + 1))]
      const mean = own.reduce((one, other) => one + other) / 16
      const deviation = Math.sqrt(own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 16)
      expectNear(
        space.float32(norm + 64 * row, 16),
        own.map((value) => ((value - mean) / deviation) * 2 + 1),
      )
    }
  })

  it('product multiplies tables of numbers with rows at any distance', () => {
    const { kernels, space } = given()
    const [rows, depth, columns] = [4, 8, 32]
    const [one, other] = [numbers(rows * 10), numbers(depth * 40)]
    const [turned, out] = [space.floats(columns * depth), space.floats(rows * columns)]
    kernels.product(space.keep(one), 40, space.keep(other), 160, out, 4 * columns, rows, depth, columns)
    const expected = Array.from({ length: rows * columns }, (_, at) => {
      const [row, column] = [Math.floor(at / columns), at % columns]
      let sum = 0
      for (let k = 0; k < depth; k++) sum += (one[row * 10 + k] ?? 0) * (other[k * 40 + column] ?? 0)
      return sum
    })
    expectNear(space.float32(out, rows * columns), expected)
    kernels.transpose(out, 4 * columns, rows, columns, turned, 4 * rows)
    expect(space.float32(turned, rows * columns)[5 * rows + 2]).toBe(
      space.float32(out, rows * columns)[2 * columns + 5],
    )
  })
})

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
