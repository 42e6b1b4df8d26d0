import type { Runtime } from '../pooling.ts'
import { createKernels, innerWidth, width } from './kernels.ts'
import { loadModel, mostTokens, type Norm, type Table } from './model.ts'
import { repeats } from './rows.ts'
import { createSpace } from './space.ts'

/** Rows are worked on by fours; what is too much is not looked at. */
const mostRows = mostTokens + 4

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
  const scores = space.floats(mostRows * 4)
  const mixed = space.floats(mostRows * width)
  const expanded = space.floats(mostRows * innerWidth)

  /** Writes what stands for each token in its place; the number of them all. */
  function placeTokens(texts: readonly Uint16Array[]): number {
    let rows = 0
    for (const text of texts) {
      for (const [place, token] of text.entries()) {
        const [word, ofPlace] = [model.words + width * token, model.places + 4 * width * place]
        kernels.placeWord(word, model.wordScale, ofPlace, hidden + 4 * width * rows)
        rows++
      }
    }
    return rows
  }

  function run(texts: readonly Uint16Array[]): Float32Array[] {
    const rows = placeTokens(texts)
    const multiply = (kernel: 'project' | 'projectAdd' | 'contractAdd', table: Table, out: number) =>
      kernels[kernel](bytes, scales, rows, table.weights, table.scales, table.bias, out, table.columns)
    const normalise = ({ scale, shift }: Norm) => kernels.normalise(hidden, rows, width, scale, shift, bytes, scales)
    normalise(model.norm)
    for (const layer of model.layers) {
      multiply('project', layer.attention, attention)
      let first = 0
      for (const { length } of texts) {
        // In this order, as it writes beyond its last row.
        kernels.attend(attention + 4 * 3 * width * first, length, scores, mixed + 4 * width * first)
        first += length
      }
      kernels.quantise(mixed, rows, width, bytes, scales)
      multiply('projectAdd', layer.attentionOut, hidden)
      normalise(layer.attentionNorm)
      multiply('project', layer.expand, expanded)
      kernels.gelu(expanded, rows, innerWidth, bytes, scales)
      multiply('contractAdd', layer.contract, hidden)
      normalise(layer.norm)
    }
    let next = hidden
    return texts.map(({ length }) => {
      kernels.addUp(next, length, mixed)
      next += 4 * length * width
      return space.float32(mixed, width).slice()
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
