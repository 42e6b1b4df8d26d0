import { onTestFinished } from 'vitest'
import type { Indexer, ParsedDocument } from '../src/features/knowledge-sources/indexer.ts'
import type { Service, Workspace } from './harness.ts'

export interface WatchedIndexer {
  /** The names of the indexed documents, in order. */
  puts: string[]
  removed: string[]
  dropped: string[]
  /** The indexed documents by ID. */
  held: Map<string, ParsedDocument>
  /** Each `put` waits for this function. */
  before(gate: (document: ParsedDocument) => Promise<void> | void): void
}

/** For `before`: the documents wait until it is opened. */
export const makeGate = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** Replaces the indexer of a service, or of one workspace of a shared service, to observe what a sync indexes. */
export function watchedIndexer({ ctx, workspace }: Pick<Service, 'ctx'> & Partial<Workspace>): WatchedIndexer {
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
    async put({ commits, search }, _workspace, document, statements) {
      watched.puts.push(document.label)
      await gate(document)
      const reused = watched.held.has(document.id) ? 1 : 0
      const commit = () => commits.commit(statements({ embedded: 1, reused, removed: 0 }))
      if (search.engine === 'postgres') await commit() // in one transaction: nothing is held if it fails
      watched.held.set(document.id, document)
      if (search.engine === 'embedded') await commit()
    },
    async remove({ commits }, _workspace, _source, ids, statements = () => []) {
      watched.removed.push(...ids)
      for (const id of ids) watched.held.delete(id)
      await commits.commit(statements(ids.length))
    },
    passages: async () => ({ rows: [], total: 0 }),
    state: async () => null,
    async drop(_ctx, _workspace, source) {
      watched.dropped.push(source)
      for (const [id, document] of watched.held) if (document.sourceId === source) watched.held.delete(id)
    },
  }
  const state = ctx.state['knowledge-sources']
  const { indexer: replaced } = state
  // Other tests may use the same service at the same time.
  const indexerFor = (id: string) => (workspace === undefined || workspace === id ? indexer : replaced)
  state.indexer = {
    put: (...call) => indexerFor(call[1]).put(...call),
    remove: (...call) => indexerFor(call[1]).remove(...call),
    passages: (...call) => indexerFor(call[1]).passages(...call),
    state: (...call) => indexerFor(call[1]).state(...call),
    drop: (...call) => indexerFor(call[1]).drop(...call),
  }
  onTestFinished(() => {
    state.indexer = replaced
  })
  return watched
}
