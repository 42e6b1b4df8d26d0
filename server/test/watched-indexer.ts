import { onTestFinished } from 'vitest'
import { indexer as realIndexer } from '../src/features/indexes/building/indexer.ts'
import { enterIndexer, type Indexer, type ParsedDocument } from '../src/features/knowledge-sources/indexer.ts'

export interface WatchedIndexer {
  /** The names of the documents that were put, in order. */
  puts: string[]
  removed: string[]
  dropped: string[]
  /** What the index would hold now: text by document. */
  held: Map<string, ParsedDocument>
  /** Every put waits until what this answers resolves. */
  before(gate: (document: ParsedDocument) => Promise<void> | void): void
}

/** Stands in the place of the indexes, so that a test sees what a sync does for them. Start the service first. */
export function watchedIndexer(): WatchedIndexer {
  let gate: (document: ParsedDocument) => Promise<void> | void = () => {}
  const watched: WatchedIndexer = {
    puts: [],
    removed: [],
    dropped: [],
    held: new Map(),
    before(next) {
      gate = next
    },
  }
  const indexer: Indexer = {
    async put(_ctx, _workspace, document) {
      watched.puts.push(document.label)
      await gate(document)
      const reused = watched.held.has(document.id) ? 1 : 0
      watched.held.set(document.id, document)
      return { embedded: 1, reused, removed: 0 }
    },
    async remove(_ctx, _workspace, _source, ids) {
      watched.removed.push(...ids)
      for (const id of ids) watched.held.delete(id)
      return { embedded: 0, reused: 0, removed: ids.length }
    },
    passages: async () => ({ rows: [], total: 0 }),
    async drop(_ctx, _workspace, source) {
      watched.dropped.push(source)
      for (const [id, document] of watched.held) if (document.sourceId === source) watched.held.delete(id)
    },
  }
  enterIndexer(indexer)
  onTestFinished(() => enterIndexer(realIndexer))
  return watched
}
