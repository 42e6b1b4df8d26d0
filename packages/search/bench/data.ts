import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { MiniLm } from '@parley/embedding'
import { type Chunk, textToEmbed } from '../src/index.ts'

export interface Dataset {
  name: string
  chunks: Chunk[]
  queries: { text: string; relevant: Set<string> }[]
}

interface Line {
  _id: string
  title?: string
  text: string
}

export const datasetNames = ['scifact', 'xquad-en', 'xquad-de', 'xquad-zh']
/** Questions in another language than the passages, and small sets of our own in languages that the built-in models do not know. */
export const languageNames = [
  ...['xquad-de→xquad-en', 'xquad-en→xquad-de', 'xquad-zh→xquad-en', 'xquad-en→xquad-zh'],
  ...['turkish', 'vietnamese', 'russian', 'hindi', 'thai'],
]

/** Datasets are folders in the format of BEIR: corpus.jsonl, queries.jsonl and qrels.tsv. */
export function readDataset(folder: string, name: string): Dataset {
  const [asked = name, answering] = name.split('→')
  if (answering) return { ...readDataset(folder, answering), name, queries: readDataset(folder, asked).queries }
  return languageNames.includes(name) ? readPairs(name) : readFolder(folder, name)
}

/** Each line has a passage and the question that it answers. */
function readPairs(name: string): Dataset {
  const lines = readFileSync(new URL(`languages/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const pairs = lines.map((line, at) => ({ id: `${name}-${at}`, texts: line.split(' | ') }))
  return {
    name,
    chunks: pairs.map(({ id, texts: [text = ''] }) => toChunk({ _id: id, text })),
    queries: pairs.map(({ id, texts: [, text = ''] }) => ({ text, relevant: new Set([id]) })),
  }
}

function readFolder(folder: string, name: string): Dataset {
  const read = (file: string) =>
    readFileSync(join(folder, name, file), 'utf8')
      .trim()
      .split('\n')
  const lines = (file: string) => read(file).map((line) => JSON.parse(line) as Line)
  const relevant = new Map<string, Set<string>>()
  for (const line of read('qrels.tsv').slice(1)) {
    const [query = '', passage = '', grade] = line.split('\t')
    if (Number(grade) > 0) relevant.set(query, (relevant.get(query) ?? new Set()).add(passage))
  }
  return {
    name,
    chunks: lines('corpus.jsonl').map((line) => toChunk(line)),
    queries: lines('queries.jsonl').flatMap(({ _id, text }) => {
      const passages = relevant.get(_id)
      return passages ? [{ text, relevant: passages }] : []
    }),
  }
}

const toChunk = ({ _id, title, text }: Line): Chunk => ({
  id: _id,
  documentId: _id,
  source: 'bench',
  page: null,
  headings: title ? [title] : [],
  text,
  metadata: {},
})

/** nDCG@10 and recall@10. */
export function judge(found: string[], relevant: Set<string>): { ndcg: number; recall: number } {
  const first = found.slice(0, 10)
  const gain = (place: number) => 1 / Math.log2(place + 2)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const ideal = sum(Array.from({ length: Math.min(10, relevant.size) }, (_, place) => gain(place)))
  const hits = first.flatMap((id, place) => (relevant.has(id) ? [gain(place)] : []))
  return { ndcg: sum(hits) / ideal, recall: hits.length / Math.min(10, relevant.size) }
}

/** Embedding a dataset takes minutes: with PARLEY_BENCH_CACHE the vectors are cached in that folder. */
export async function passageVectors(model: MiniLm, set: Dataset): Promise<Float32Array[]> {
  const texts = set.chunks.map(textToEmbed)
  const file = cacheFile(set)
  if (!file) return model.embedPassages(texts)
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      Buffer.concat((await model.embedPassages(texts)).map((vector) => new Uint8Array(vector.buffer))),
    )
  }
  const all = new Float32Array(new Uint8Array(readFileSync(file)).buffer)
  return texts.map((_, at) => all.slice(at * model.dimensions, (at + 1) * model.dimensions))
}

/** Whether the vectors of a dataset are cached. */
export const hasVectors = (set: Dataset): boolean => existsSync(cacheFile(set) ?? '')

function cacheFile(set: Dataset): string | undefined {
  const folder = process.env.PARLEY_BENCH_CACHE
  const hash = createHash('sha256').update(set.chunks.map(textToEmbed).join('\0')).digest('hex')
  return folder && join(folder, `${set.name}-${hash.slice(0, 16)}.f32`)
}
