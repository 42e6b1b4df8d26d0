import { plus, type Runtime } from '../pooling.ts'
import { createKernels, innerWidth, width } from './kernels.ts'
import { heads, headWidth, loadModel, type Model, mostTokens, type Table } from './model.ts'
import { repeats } from './rows.ts'
import { createSpace } from './space.ts'

/** Products are made in whole tiles of so many rows and columns; what is too much is not looked at. */
const tile = 16
const mostRows = mostTokens + tile

/**
 * The model by our own kernels: on ARM processors without instructions for matrices they take two thirds of the time of
 * ONNX Runtime. Each token is scaled by its own largest number, so texts can share a run and change nothing for others.
 */
export function openInOwnKernels(file: Buffer, isArm?: boolean): Runtime {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const kernels = createKernels(memory, isArm)
  const space = createSpace(memory)
  const model = loadModel(file, space)

  const hidden = space.floats(mostRows * width)
  const bytes = space.bytes(mostRows * repeats * innerWidth)
  const scales = space.floats(mostRows)
  const attention = space.floats(mostRows * 3 * width)
  const keys = space.floats(headWidth * mostRows)
  const shares = space.floats(mostRows * mostRows)
  const mixed = space.floats(mostRows * width)
  const expanded = space.floats(mostRows * innerWidth)

  /** What each token of a text takes over from the others. */
  function attend(first: number, length: number): void {
    const padded = tile * Math.ceil(length / tile)
    const rows = 4 * Math.ceil(length / 4)
    const [stride, outStride, shareStride] = [4 * 3 * width, 4 * width, 4 * padded]
    for (let head = 0; head < heads; head++) {
      const query = attention + first * stride + 4 * head * headWidth
      const [key, value] = [query + 4 * width, query + 8 * width]
      const out = mixed + first * outStride + 4 * head * headWidth
      kernels.transpose(key, stride, length, headWidth, keys, shareStride)
      kernels.product(query, stride, keys, shareStride, shares, shareStride, rows, headWidth, padded)
      kernels.softmax(shares, length, length, shareStride)
      kernels.product(shares, shareStride, value, stride, out, outStride, rows, rows, headWidth)
    }
  }

  function run(texts: readonly Uint16Array[]): Float32Array[] {
    const rows = placeTokens(texts, model, space.float32(hidden, mostRows * width))
    const multiply = (kernel: 'project' | 'projectAdd' | 'contractAdd', table: Table, out: number) =>
      kernels[kernel](bytes, scales, rows, table.weights, table.scales, table.bias, out, table.columns)
    kernels.normalise(hidden, rows, width, model.norm.scale, model.norm.shift)
    for (const layer of model.layers) {
      kernels.quantise(hidden, rows, width, bytes, scales)
      multiply('project', layer.attention, attention)
      let first = 0
      for (const { length } of texts) {
        attend(first, length) // in this order, as it writes beyond its last row
        first += length
      }
      kernels.quantise(mixed, rows, width, bytes, scales)
      multiply('projectAdd', layer.attentionOut, hidden)
      kernels.normalise(hidden, rows, width, layer.attentionNorm.scale, layer.attentionNorm.shift)
      kernels.quantise(hidden, rows, width, bytes, scales)
      multiply('project', layer.expand, expanded)
      kernels.gelu(expanded, rows * innerWidth)
      kernels.quantise(expanded, rows, innerWidth, bytes, scales)
      multiply('contractAdd', layer.contract, hidden)
      kernels.normalise(hidden, rows, width, layer.norm.scale, layer.norm.shift)
    }
    let next = hidden
    return texts.map(({ length }) => {
      const vectors = space.float32(next, length * width)
      next += 4 * length * width
      return plus(new Float32Array(width), vectors)
    })
  }

  return {
    run: async (texts) => shared(texts).flatMap(run),
    close: async () => {},
  }
}

/** Texts that are short enough share a run. */
function shared(texts: readonly Uint16Array[]): Uint16Array[][] {
  const runs: Uint16Array[][] = []
  let left = 0
  for (const text of texts) {
    if (text.length > left) {
      runs.push([])
      left = mostTokens
    }
    runs.at(-1)?.push(text)
    left -= text.length
  }
  return runs
}

/** Writes what stands for each token in its place; the number of them all. */
function placeTokens(texts: readonly Uint16Array[], { words, wordScale, places }: Model, out: Float32Array): number {
  let row = 0
  for (const text of texts) {
    text.forEach((token, place) => {
      for (let at = 0; at < width; at++) {
        const word = words[token * width + at] as number
        out[row * width + at] = word * wordScale + (places[place * width + at] as number)
      }
      row++
    })
  }
  return row
}
