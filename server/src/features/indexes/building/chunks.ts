import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Chunk as TextSpan } from '@parley/documents/chunk'
import { type Chunk, forEachYielding, textToEmbed } from '@parley/search'
import type { ChunkCounts, ParsedDocument } from '../../knowledge-sources/indexer.ts'

/** The passages of a document as the search library stores them. Yields to the event loop, because a long document has thousands. */
export async function toChunks(document: ParsedDocument, spans: readonly TextSpan[]): Promise<Chunk[]> {
  const title = documentTitle(document)
  const repeats = new Map<string, number>()
  const chunks: Chunk[] = []
  await forEachYielding(spans, ({ start, end, page, headingPath, tableHead }) => {
    const headings = [...withTitle(title, headingPath), ...(tableHead === undefined ? [] : [tableHead])]
    const text = document.text.slice(start, end)
    const key = textToEmbed({ headings, text })
    const repeat = repeats.get(key) ?? 0
    repeats.set(key, repeat + 1)
    chunks.push({
      // The position is not part of the id: a passage that moved is reused.
      id: `chk_${hash('sha256', `${document.id}\0${key}\0${repeat}`).slice(0, 26)}`,
      documentId: document.id,
      source: document.label,
      page,
      headings,
      text,
      metadata: document.metadata,
      span: { start, end },
    })
  })
  return chunks
}

/** The name of the document. A URL says little, so a web page has its own title instead. */
function documentTitle({ label, metadata }: ParsedDocument): string | null {
  if (!/^https?:\/\//i.test(label)) return label.replace(/\.[A-Za-z0-9]{1,5}$/, '').slice(0, maxTitleLength)
  return typeof metadata.title === 'string' ? metadata.title.trim().slice(0, maxTitleLength) || null : null
}

const maxTitleLength = 300

const withTitle = (title: string | null, headings: string[]): string[] =>
  title === null || headings[0]?.trim() === title ? headings : [title, ...headings]

export interface Difference {
  add: Chunk[]
  remove: string[]
  counts: ChunkCounts
}

/** The changes that turn the old passages of a document into the new ones. */
export function difference(before: readonly Chunk[], after: readonly Chunk[]): Difference {
  const old = new Map(before.map((chunk) => [chunk.id, chunk]))
  const kept = new Set(after.map(({ id }) => id))
  const remove = before.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
  const reused = after.filter(({ id }) => old.has(id)).length
  return {
    add: after.filter((chunk) => !old.has(chunk.id) || !isDeepStrictEqual(old.get(chunk.id), asStored(chunk))),
    remove,
    counts: { embedded: after.length - reused, reused, removed: remove.length },
  }
}

/** Metadata is stored as JSON. */
const asStored = (chunk: Chunk): Chunk => ({ ...chunk, metadata: JSON.parse(JSON.stringify(chunk.metadata)) })
