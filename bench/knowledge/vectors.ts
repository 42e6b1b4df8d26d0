import { createMiniLm } from '@parley/embedding'
import { openEmbeddedSearch } from '@parley/search'
import { fineVectors, readDataset } from '../retrieval/data.ts'
import { print } from '../retrieval/report.ts'
import { movedVectors } from '../retrieval/speed.ts'

const atOnce = 2000

/**
 * Gives every passage of a stopped service a vector as the embedding model makes them. It would take that model half an
 * hour to see a hundred thousand; for the speed of searching only their number and spread count.
 */
export async function fillVectors(dataDir: string, data: string): Promise<void> {
  const model = createMiniLm()
  const search = openEmbeddedSearch({ dataDir })
  try {
    if (!(await model.availability()).available) return print('Without MiniLM: its runtime is not there.')
    const real = await fineVectors(model, readDataset(data, 'xquad-en'))
    for (const name of await search.listIndexes()) {
      for (let made = 0; ; made += atOnce) {
        const left = await search.pendingChunks(name, atOnce)
        if (left.length === 0) break
        const vectors = movedVectors(real, left.length, made)
        await search.setVectors(
          name,
          model.id,
          left.map(({ chunkId }, at) => ({ chunkId, vector: vectors[at] as Float32Array })),
        )
      }
    }
  } finally {
    await Promise.all([search.close(), model.close()])
  }
}
