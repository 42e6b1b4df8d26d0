import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Chunk as Cut } from '@parley/documents/chunk'
import { type Chunk, forEachYielding, textToEmbed } from '@parley/search'
import type { ChunkCounts, ParsedDocument } from '../knowledge-sources/indexer.ts'

/** The passages of a document as the search keeps them. A long one has so many that others must have their turn. */
export async function toChunks(document: ParsedDocument, cuts: readonly Cut[]): Promise<Chunk[]> {
  const title = titleOf(document)
  const times = new Map<string, number>()
  const chunks: Chunk[] = []
  await forEachYielding(cuts, ({ start, end, page, headingPath, tableHead }) => {
    const headings = [...withTitle(title, headingPath), ...(tableHead === undefined ? [] : [tableHead])]
    const text = document.text.slice(start, end)
    const key = textToEmbed({ headings, text })
    const time = times.get(key) ?? 0
    times.set(key, time + 1)
    chunks.push({
      // The place is no part of it: a passage that has only moved is still the same.
      id: `chk_${hash('sha256', `${document.id}\0${key}\0${time}`).slice(0, 26)}`,
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

/**
 * What a document is called says what its passages are about. The address of a page says little, so there it is the
 * page's own title; elsewhere that would often be its first heading, and change with it.
 */
function titleOf({ label, metadata }: ParsedDocument): string | null {
  if (!/^https?:\/\//i.test(label)) return label.replace(/\.[A-Za-z0-9]{1,5}$/, '').slice(0, longestTitle)
  return typeof metadata.title === 'string' ? metadata.title.trim().slice(0, longestTitle) || null : null
}

const longestTitle = 300

const withTitle = (title: string | null, headings: string[]): string[] =>
  title === null || headings[0]?.trim() === title ? headings : [title, ...headings]

export interface Difference {
  add: Chunk[]
  remove: string[]
  counts: ChunkCounts
}

/** What must change so that the old passages of a document become the new ones. */
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

/** Metadata goes through JSON on its way. */
const asStored = (chunk: Chunk): Chunk => ({ ...chunk, metadata: JSON.parse(JSON.stringify(chunk.metadata)) })
