import { dotProduct } from '@parley/embedding'
import type { Caller, Context } from '../../../kernel/context.ts'
import { sentenceEmbedding } from '../../../kernel/llm/local-embeddings.ts'
import type { SourceTable } from '../../knowledge-sources/tables/service.ts'
import type { ToolRow } from '../tools.ts'
import { tablesWith } from './query.ts'

const maxFound = 8
const maxDescription = 2000
/** How much words count beside the meaning, which the static model knows in English only. */
const wordWeight = 0.6

/** The tables of a tool that fit a question best, by meaning and by words. */
export async function findTables(
  ctx: Context,
  who: Caller,
  tool: ToolRow,
  query: string,
  signal: AbortSignal,
): Promise<SourceTable[]> {
  const words = wordsIn(query)
  let best: { table: SourceTable; score: number }[] = []
  for await (const tables of tablesWith(ctx, who, tool)) {
    const meanings = await similarities(ctx, query, tables.map(headings), signal)
    const scored = tables.map((table, at) => ({
      table,
      score: (meanings[at] ?? 0) + wordWeight * sharedWords(words, wordsIn(`${headings(table)} ${values(table)}`)),
    }))
    best = [...best, ...scored].sort((one, other) => other.score - one.score).slice(0, maxFound)
  }
  return best.map(({ table }) => table)
}

const headings = ({ title, document_name, columns }: SourceTable): string =>
  [title, document_name, ...columns.map(({ name }) => name)].join(', ').slice(0, maxDescription)

/** The known values, which say what a table is about only if the question names one. */
const values = ({ columns, rows }: SourceTable): string =>
  [...columns.flatMap((column) => column.values ?? []), ...rows.flat()].join(' ').slice(0, maxDescription)

async function similarities(ctx: Context, query: string, texts: string[], signal: AbortSignal): Promise<number[]> {
  const { embed } = sentenceEmbedding(query, ctx.embedding, signal)
  if (!embed || texts.length === 0) return []
  const [asked, ...vectors] = await embed([query, ...texts])
  return vectors.map((vector) => (asked ? dotProduct(asked, vector) : 0))
}

/** Long words without their endings, so that `products` and `product` are the same. */
const wordsIn = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) => word.slice(0, Math.max(4, word.length - 2))),
  )

const sharedWords = (words: Set<string>, known: Set<string>): number =>
  [...words].filter((word) => known.has(word)).length / Math.max(1, words.size)
