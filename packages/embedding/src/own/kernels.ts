import { assemble } from './assembler.ts'
import { attend } from './attention.ts'
import { armDot, portableDot } from './instructions.ts'
import { linear, plusWhatIsThere } from './linear.ts'
import { gelu, normalise, quantise } from './rows.ts'
import { addUp, placeWord } from './tokens.ts'

/** The lengths of the rows that tables are multiplied with. */
export const width = 384
export const innerWidth = 1536
/** Parts of a row that attend to others each in its own way. */
export const heads = 12

/** All arguments are addresses or counts. Widths are multiples of 32. */
export interface Kernels {
  /** A word's bytes times the number at `scale`, plus the numbers of its place. */
  placeWord(word: number, scale: number, place: number, out: number): void
  /** One row that is the sum of rows of the model's width. */
  addUp(numbers: number, rows: number, out: number): void
  /** Rows as bytes, every four of them four times, with the number that each row is to be multiplied by to get it back. */
  quantise(numbers: number, rows: number, width: number, bytes: number, scales: number): void
  /** A table on rows of the model's width. */
  project: Linear
  projectAdd: Linear
  /** A table on rows of the inner width. */
  contractAdd: Linear
  /** In place, then as bytes. */
  gelu(numbers: number, rows: number, width: number, bytes: number, scales: number): void
  /** In place: mean 0 and variance 1, then scaled and shifted, then as bytes. */
  normalise(
    numbers: number,
    rows: number,
    width: number,
    scale: number,
    shift: number,
    bytes: number,
    scales: number,
  ): void
  /**
   * What each row of a text takes over from all of them, where a row is a query, a key and a value. Up to three rows
   * beyond the last are read and written, too. The scores are room for four numbers for each of all these.
   */
  attend(rows: number, length: number, scores: number, out: number): void
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
    placeWord: { parameters: 4, build: placeWord(width) },
    addUp: { parameters: 3, build: addUp(width) },
    quantise: { parameters: 5, build: quantise },
    project: { parameters: 8, build: linear(width, dot, (sums) => sums) },
    projectAdd: { parameters: 8, build: linear(width, dot, plusWhatIsThere) },
    contractAdd: { parameters: 8, build: linear(innerWidth, dot, plusWhatIsThere) },
    gelu: { parameters: 5, build: gelu },
    normalise: { parameters: 7, build: normalise },
    attend: { parameters: 4, build: attend(width, heads) },
  })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { memory } })
  return exports as Kernels
}
