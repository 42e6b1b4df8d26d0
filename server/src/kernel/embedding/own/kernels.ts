import { assemble } from './assembler.ts'
import { armDot, portableDot } from './instructions.ts'
import { linear, plusWhatIsThere } from './linear.ts'
import { product, transpose } from './products.ts'
import { gelu, normalise, quantise, softmax } from './rows.ts'

/** The lengths of the rows that tables are multiplied with. */
export const width = 384
export const innerWidth = 1536

/** All arguments are addresses, counts, or strides: the bytes from one row to the next. */
export interface Kernels {
  /** Rows as bytes, every four of them four times, with the number that each row is to be multiplied by to get it back. */
  quantise(numbers: number, rows: number, width: number, bytes: number, scales: number): void
  /** A table on rows of the model's width. */
  project: Linear
  projectAdd: Linear
  /** A table on rows of the inner width. */
  contractAdd: Linear
  /** In place, on so many numbers. */
  gelu(numbers: number, amount: number): void
  /** In place: mean 0 and variance 1, then scaled and shifted. */
  normalise(numbers: number, rows: number, width: number, scale: number, shift: number): void
  /** In place: e to the power of each, as shares of a row. What is beyond the width has none. */
  softmax(numbers: number, rows: number, width: number, stride: number): void
  /** Four rows and sixteen columns at a time: both counts are rounded up. */
  product(
    one: number,
    oneStride: number,
    other: number,
    otherStride: number,
    out: number,
    outStride: number,
    rows: number,
    depth: number,
    columns: number,
  ): void
  transpose(from: number, fromStride: number, rows: number, columns: number, to: number, toStride: number): void
}

/** Rows of bytes as `quantise` makes them, times a packed table of bytes, plus the bias. The columns are a multiple of 16. */
type Linear = (
  bytes: number,
  scales: number,
  rows: number,
  table: number,
  tableScales: number,
  bias: number,
  out: number,
  columns: number,
) => void

export function createKernels(memory: WebAssembly.Memory, isArm = process.arch === 'arm64'): Kernels {
  const dot = isArm ? armDot : portableDot
  const module = assemble({
    quantise: { parameters: 5, build: quantise },
    project: { parameters: 8, build: linear(width, dot, (sums) => sums) },
    projectAdd: { parameters: 8, build: linear(width, dot, plusWhatIsThere) },
    contractAdd: { parameters: 8, build: linear(innerWidth, dot, plusWhatIsThere) },
    gelu: { parameters: 2, build: gelu },
    normalise: { parameters: 5, build: normalise },
    softmax: { parameters: 4, build: softmax },
    product: { parameters: 9, build: product },
    transpose: { parameters: 6, build: transpose },
  })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { memory } })
  return exports as Kernels
}
