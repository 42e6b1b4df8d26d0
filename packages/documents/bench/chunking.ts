import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chunkDocument } from '../src/chunking/chunk.ts'
import { markdownStructure } from '../src/formats/markdown-structure.ts'
import { mapTokens, preTokenAt, type TokenMap } from '../src/tokens/tokens.ts'
import { KeywordIndex } from './bm25.ts'
import { type Span, splitRecursively } from './recursive-splitter.ts'

// Compares chunkDocument with recursive splitters: how much of the marked answers is in the five best chunks.
// PARLEY_BENCH_DATA=<folder with questions_df.csv and corpora/> node packages/documents/bench/chunking.ts

const topChunks = 5
const settings = [200, 400].flatMap((size) => [0, 60].map((overlap) => ({ size, overlap })))

interface Question {
  text: string
  corpus: string
  references: Span[]
}

const plain = { pages: [], headings: [], metadata: {}, warnings: [] }

type Splitter = (text: string, size: number, overlap: number) => Span[]

const splitters: Record<string, Splitter> = {
  'parley, as text': (text, size, overlap) => chunkDocument({ ...plain, text }, { size, overlap }),
  'parley, as Markdown': (text, size, overlap) =>
    chunkDocument({ ...plain, text, ...markdownStructure(text) }, { size, overlap }),
  'recursive, lines and words': (text, size, overlap) => splitRecursively(text, size, overlap, ['\n\n', '\n', ' ', '']),
  'recursive, with sentences': (text, size, overlap) =>
    splitRecursively(text, size, overlap, ['\n\n', '\n', '.', '?', '!', ' ', '']),
}

const folder = process.env.PARLEY_BENCH_DATA
if (!folder) throw new Error('Set PARLEY_BENCH_DATA to the folder with questions_df.csv and corpora/.')
const questions = readQuestions(folder)
const corpora = new Map(
  [...new Set(questions.map(({ corpus }) => corpus))].map((corpus) => {
    return [corpus, mapTokens(readFileSync(join(folder, 'corpora', `${corpus}.md`), 'utf8'))] as const
  }),
)

function readQuestions(from: string): Question[] {
  const [, ...rows] = csvRows(readFileSync(join(from, 'questions_df.csv'), 'utf8'))
  return rows.map(([text = '', references = '[]', corpus = '']) => {
    const marked: { start_index: number; end_index: number }[] = JSON.parse(references)
    return { text, corpus, references: marked.map(({ start_index: start, end_index: end }) => ({ start, end })) }
  })
}

function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, value = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^,\n]*)(,|\n)/g)) {
    row.push(value.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

function measure(splitter: Splitter, size: number, overlap: number): string[] {
  const started = cpuSeconds()
  const chunks = [...corpora].flatMap(([corpus, map]) =>
    splitter(map.text, size, overlap).map((span) => ({ corpus, map, span })),
  )
  const seconds = cpuSeconds() - started
  const index = new KeywordIndex(chunks.map(({ map, span }) => map.text.slice(span.start, span.end)))
  const sums = { recall: 0, precision: 0, iou: 0 }
  for (const question of questions) {
    const retrieved = index.top(question.text, topChunks).flatMap((at) => chunks[at] ?? [])
    const score = compare(question, retrieved)
    sums.recall += score.recall
    sums.precision += score.precision
    sums.iou += score.iou
  }
  const bytes = [...corpora.values()].reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const tokens = chunks.reduce((sum, { map, span }) => sum + weight(map, [span]), 0) / chunks.length
  return [
    `${chunks.length}`,
    tokens.toFixed(0),
    ...[sums.recall, sums.precision, sums.iou].map((sum) => ((100 * sum) / questions.length).toFixed(2)),
    (bytes / 1e6 / seconds).toFixed(1),
  ]
}

/** Processor time of this thread, which other work on the machine does not change. */
function cpuSeconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

function compare(question: Question, retrieved: { corpus: string; map: TokenMap; span: Span }[]) {
  const map = corpora.get(question.corpus)
  if (!map) throw new Error(`There is no corpus "${question.corpus}".`)
  const own = retrieved.filter(({ corpus }) => corpus === question.corpus).map(({ span }) => span)
  const references = union(question.references)
  const covered = weight(map, intersection(references, union(own)))
  const marked = weight(map, references)
  // Text in two chunks counts twice for precision, because the model reads it twice.
  const read = retrieved.reduce((sum, chunk) => sum + weight(chunk.map, [chunk.span]), 0)
  return { recall: covered / marked, precision: covered / read, iou: covered / (read + marked - covered) }
}

const weight = (map: TokenMap, spans: Span[]): number =>
  spans.reduce((sum, { start, end }) => sum + tokensBefore(map, end) - tokensBefore(map, start), 0)

/** A token at the position counts in proportion to its part before it. */
function tokensBefore(map: TokenMap, position: number): number {
  const at = preTokenAt(map, position)
  const start = map.starts[at] ?? 0
  const before = map.before[at] ?? 0
  const length = (map.starts[at + 1] ?? start + 1) - start
  return before + (((map.before[at + 1] ?? before) - before) * (position - start)) / length
}

function union(spans: Span[]): Span[] {
  const result: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

const intersection = (first: Span[], second: Span[]): Span[] =>
  first.flatMap((a) =>
    second.flatMap((b) => {
      const start = Math.max(a.start, b.start)
      const end = Math.min(a.end, b.end)
      return end > start ? [{ start, end }] : []
    }),
  )

const rows = [['splitter', 'size', 'overlap', 'chunks', 'tokens', 'recall', 'precision', 'IoU', 'MB/s']]
for (const { size, overlap } of settings) {
  for (const [name, splitter] of Object.entries(splitters))
    rows.push([name, `${size}`, `${overlap}`, ...measure(splitter, size, overlap)])
}
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
for (const row of rows)
  process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`)
