import { createMiniLm } from '@parley/embedding'
import { openEmbeddedSearch } from '@parley/search'
import { passageVectors, readDataset } from '../../packages/search/bench/data.ts'
import { print } from '../../packages/search/bench/report.ts'
import { perturbedVectors } from '../../packages/search/bench/speed.ts'

const batchSize = 2000

/**
 * Gives every passage of a stopped service a vector like those of the embedding model, which would take half an hour for
 * a hundred thousand. The speed of a search depends on their number and distribution only.
 */
export async function fillVectors(dataDir: string, data: string): Promise<void> {
  const model = createMiniLm()
  const search = openEmbeddedSearch({ dataDir })
  try {
    if (!(await model.availability()).available) return print('Without MiniLM: its runtime is not there.')
    const samples = await passageVectors(model, readDataset(data, 'xquad-en'))
    for (const name of await search.listIndexes()) {
      for (let done = 0; ; done += batchSize) {
        const pending = await search.pendingChunks(name, batchSize)
        if (pending.length === 0) break
        const vectors = perturbedVectors(samples, pending.length, done)
        await search.setVectors(
          name,
          model.id,
          pending.map(({ chunkId }, at) => ({ chunkId, vector: vectors[at] as Float32Array })),
        )
      }
    }
  } finally {
    await Promise.all([search.close(), model.close()])
  }
}
