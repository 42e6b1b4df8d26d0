import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniLm } from '@parley/embedding'
import { openEmbeddedSearch } from '@parley/search'
import { datasetNames, hasVectors, readDataset } from '../packages/search/bench/data.ts'
import { measureQuality, type Quality } from '../packages/search/bench/quality.ts'
import { type Bench, type Figure, missing } from './bench.ts'

const aims: Record<string, number> = { scifact: 0.735, 'xquad-en': 0.975, 'xquad-de': 0.935, 'xquad-zh': 0.966 }
const embedded = 'hybrid, 100 % embedded'

export const quality: Bench = {
  about:
    'nDCG@10 of hybrid searches with the built-in embedding model, beside those by words alone. `node bench/retrieval.ts` measures the same over HTTP, before and after embedding.',

  async measure({ data, isFull }) {
    if (!data) return [missing('nDCG@10', 'set PARLEY_BENCH_DATA')]
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'))
    const engine = { name: 'embedded', search: openEmbeddedSearch({ dataDir }) }
    const model = createMiniLm()
    try {
      const { available, reason } = await model.availability()
      if (!available) return [missing('nDCG@10', `no embedding model: ${reason}`)]
      const figures: Figure[] = []
      for (const name of datasetNames) {
        if (isFull && name === 'scifact' && !hasVectors(readDataset(data, name)))
          figures.push(missing('scifact', 'takes 20 minutes, set PARLEY_BENCH_CACHE'))
        else figures.push(...toFigures(name, await measureQuality(data, [engine], model, [name], { isBrief: isFull })))
      }
      return figures
    } finally {
      await Promise.all([engine.search.close(), model.close()])
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

function toFigures(name: string, rows: Quality[]): Figure[] {
  const keyword = { name: 'by words', value: rows.find(({ way }) => way === 'keyword')?.ndcg ?? 0 }
  const aim = { aim: { min: aims[name] ?? 0 } }
  return rows.flatMap(({ way, ndcg, recall, reliability }) => [
    {
      name: `${name}, ${way}, nDCG@10`,
      value: ndcg,
      unit: '',
      ...(way !== 'keyword' && { reference: keyword }),
      ...(way === embedded && aim),
    },
    { name: `${name}, ${way}, recall@10`, value: recall, unit: '' },
    { name: `${name}, ${way}, calibration error of scores`, value: reliability.error, unit: '' },
    ...reliability.bands.map(({ score, right, count }) => ({
      name: `${name}, ${way}, relevant of ${count} results with a mean score of ${score.toFixed(2)}`,
      value: right,
      unit: '',
    })),
  ])
}
