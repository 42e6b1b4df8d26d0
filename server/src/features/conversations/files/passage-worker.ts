import { unpackDocument } from '@parley/documents'
import { chunkDocument } from '@parley/documents/chunk'
import { inLanguages, type Preparation, prepare } from '@parley/search/preparation'
import { rankPassages } from '@parley/search/rank-passages'
import { lowerPriority, serve } from '@parley/threads'
import { LRUCache } from 'lru-cache'

/** A part of a document. `start` is its position in the text. */
export interface FoundPassage {
  document: string
  content: string
  page: number
  start: number
  end: number
  headings: string[]
  score: number
}

interface Passage extends Omit<FoundPassage, 'score'> {
  prepared: Preparation
}

const chunking = { size: 400, overlap: 60 }
/** About 300 bytes of terms and vector for each passage, beside its text. */
const cache = new LRUCache<string, Passage[]>({
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: (passages) => passages.reduce((sum, { content }) => sum + 3 * content.length + 1000, 1),
})

async function readPassages(document: string, packed: Uint8Array): Promise<Passage[]> {
  const read = await unpackDocument(packed)
  const passages = chunkDocument(read, chunking).map(({ start, end, page, headingPath, tableHead }) => {
    const headings = [...headingPath, ...(tableHead === undefined ? [] : [tableHead])]
    const content = read.text.slice(start, end)
    return { document, content, page, start, end, headings, prepared: prepare({ headings, text: content }) }
  })
  const texts = passages.map(({ headings, content }) => ({ documentId: document, headings, text: content }))
  const analysed = await inLanguages(
    texts,
    passages.map(({ prepared }) => prepared),
    [],
  )
  return passages.map((passage, at) => ({ ...passage, prepared: { ...passage.prepared, ...analysed[at] } }))
}

const methods = {
  /** The documents whose content `search` needs. */
  missing: (documents: string[]): string[] => documents.filter((document) => !cache.has(document)),

  /** The best passages of some documents, and the beginning of those in which nothing is found. */
  async search(query: string, documents: string[], packed: Map<string, Uint8Array>, topK: number) {
    const all: Passage[] = []
    const openings: FoundPassage[] = []
    for (const document of documents) {
      const bytes = packed.get(document)
      const passages = cache.get(document) ?? (bytes ? await readPassages(document, bytes) : [])
      cache.set(document, passages)
      all.push(...passages)
      if (passages[0]) openings.push(shown(passages[0], 0))
    }
    const prepared = all.map((passage) => passage.prepared)
    const ranked = rankPassages(prepared, query, topK, (passage) => all[passage]?.content ?? '')
    const best = ranked.map(({ passage, score }) => shown(all[passage] as Passage, score))
    const unseen = openings.filter(({ document }) => !best.some((passage) => passage.document === document))
    return [...best.slice(0, Math.max(1, topK - unseen.length)), ...unseen].slice(0, Math.max(topK, 1))
  },
}

const shown = ({ prepared, ...passage }: Passage, score: number): FoundPassage => ({ ...passage, score })

export type PassageMethods = typeof methods

lowerPriority()
void serve(methods)
