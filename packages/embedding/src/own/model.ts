import { heads, innerWidth, width } from './kernels.ts'
import { columnsAtOnce } from './linear.ts'
import { tensorsOf } from './onnx.ts'
import type { Space } from './space.ts'

export const mostTokens = 256
const layers = 6

export interface Table {
  weights: number
  scales: number
  bias: number
  columns: number
}

export interface Norm {
  scale: number
  shift: number
}

interface Layer {
  attention: Table
  attentionOut: Table
  attentionNorm: Norm
  expand: Table
  contract: Table
  norm: Norm
}

export interface Model {
  words: number
  wordScale: number
  /** What is added to a word for its place, less what its bytes are too large by. */
  places: number
  norm: Norm
  layers: Layer[]
}

export function loadModel(file: Buffer, space: Space): Model {
  const tensors = tensorsOf(file)
  const bytes = (name: string): Buffer => {
    const found = tensors.get(name)
    if (!found) throw new Error(`the weights have no part named ${name}`)
    return found
  }
  const floats = (name: string) => new Float32Array(Uint8Array.from(bytes(name)).buffer)
  const norm = (name: string): Norm => ({
    scale: space.keep(floats(`${name}.weight`)),
    shift: space.keep(floats(`${name}.bias`)),
  })
  const products = [...tensors.keys()].filter((name) => name.startsWith('onnx::MatMul') && name.endsWith('_quantized'))
  const table = (parts: { at: number; bias: string; factor?: number }[], depth: number): Table => {
    const names = parts.map(({ at }) => (products[at] as string).replace('_quantized', ''))
    const biases = parts.map(({ bias, factor = 1 }) => floats(bias).map((value) => value * factor))
    const scales = parts.map(({ factor = 1 }, at) => floats(`${names[at]}_scale`).map((value) => value * factor))
    const columns = biases.reduce((sum, { length }) => sum + length, 0)
    const weights = space.bytes(columns * depth)
    let first = 0
    for (const [at, { length }] of biases.entries()) {
      space.int8(weights + first * depth, length * depth).set(packed(bytes(`${names[at]}_quantized`), depth, length))
      first += length
    }
    return { weights, scales: space.keep(joined(scales)), bias: space.keep(joined(biases)), columns }
  }
  const layer = (at: number): Layer => {
    const name = `encoder.layer.${at}`
    const own = `${name}.attention.self`
    const first = 6 * at
    const factor = Math.LOG2E / Math.sqrt(width / heads) // so that shares are powers of two
    return {
      attention: table(
        [
          { at: first, bias: `${own}.query.bias`, factor },
          { at: first + 1, bias: `${own}.key.bias` },
          { at: first + 2, bias: `${own}.value.bias` },
        ],
        width,
      ),
      attentionOut: table([{ at: first + 3, bias: `${name}.attention.output.dense.bias` }], width),
      attentionNorm: norm(`${name}.attention.output.LayerNorm`),
      expand: table([{ at: first + 4, bias: `${name}.intermediate.dense.bias` }], width),
      contract: table([{ at: first + 5, bias: `${name}.output.dense.bias` }], innerWidth),
      norm: norm(`${name}.output.LayerNorm`),
    }
  }
  const embedding = (name: string) => {
    const whole = `embeddings.${name}_embeddings.weight`
    return {
      values: bytes(`${whole}_quantized`),
      scale: floats(`${whole}_scale`)[0] as number,
      zero: bytes(`${whole}_zero_point`)[0] as number,
    }
  }
  const [word, place, type] = [embedding('word'), embedding('position'), embedding('token_type')]
  const value = ({ values, scale, zero }: typeof word, at: number) => ((values[at] as number) - zero) * scale
  const places = new Float32Array(mostTokens * width).map(
    (_, at) => value(place, at) + value(type, at % width) - word.zero * word.scale,
  )
  const words = space.bytes(word.values.length)
  space.int8(words, word.values.length).set(word.values)
  return {
    words,
    wordScale: space.keep(Float32Array.of(word.scale)),
    places: space.keep(places),
    norm: norm('embeddings.LayerNorm'),
    layers: Array.from({ length: layers }, (_, at) => layer(at)),
  }
}

/** Sixteen columns side by side, four bytes of each, in the order in which they are multiplied. */
export function packed(table: Uint8Array | Int8Array, depth: number, columns: number): Int8Array {
  const out = new Int8Array(depth * columns)
  for (let row = 0; row < depth; row++) {
    for (let column = 0; column < columns; column++) {
      const block = columnsAtOnce * depth * Math.floor(column / columnsAtOnce)
      const step = 4 * columnsAtOnce * (row >> 2)
      out[block + step + 4 * (column % columnsAtOnce) + (row & 3)] = table[row * columns + column] as number
    }
  }
  return out
}

function joined(parts: Float32Array[]): Float32Array {
  return new Float32Array(parts.flatMap((part) => [...part]))
}
