import type { IndexDescription } from '@parley/search'
import type { Context } from '../../kernel/context.ts'
import type { IndexRow } from './store.ts'

/** What this process knows of the indexes beyond what is stored. */
interface State {
  /** What was put or removed while an index was being built, so that the building does not put back older text. */
  touched: Map<string, Set<string>>
  /** Which sources are known to have their default index. */
  withDefault: Set<string>
  described: Map<string, Promise<IndexDescription>>
  /** For which a refinement is asked that has not begun. */
  awaiting: Set<string>
  /** How often an index was refined by this process. */
  refined: Map<string, number>
  /** When the last change of an index was written down. */
  touchedAt: Map<string, number>
  /** Whose refinement runs; true where more has come meanwhile. */
  refining: Map<string, boolean>
  queryVectors: Map<string, Promise<Float32Array>>
  /** The changes of one document in one index wait for each other. */
  changing: Map<string, Promise<unknown>>
}

const states = new WeakMap<Context['search'], State>()

export function stateOf({ search }: Context): State {
  let state = states.get(search)
  if (!state) {
    state = {
      touched: new Map(),
      withDefault: new Set(),
      described: new Map(),
      awaiting: new Set(),
      refined: new Map(),
      touchedAt: new Map(),
      refining: new Map(),
      queryVectors: new Map(),
      changing: new Map(),
    }
    states.set(search, state)
  }
  return state
}

export const nameOf = (index: Pick<IndexRow, 'workspace_id' | 'id'>) => ({
  workspace: index.workspace_id,
  key: index.id,
})

const empty: IndexDescription = { documents: 0, chunks: 0, embedded: 0, model: null }

/** Counting takes as long as the index is large, so it is done again only after a change. */
export function describe(ctx: Context, index: IndexRow): Promise<IndexDescription> {
  const { described } = stateOf(ctx)
  let description = described.get(index.id)
  if (!description) {
    description = ctx.search.describe(nameOf(index)).then((found) => found ?? empty)
    description.catch(() => described.delete(index.id))
    described.set(index.id, description)
  }
  return description
}

export const forgetDescription = (ctx: Context, index: Pick<IndexRow, 'id'>): void =>
  void stateOf(ctx).described.delete(index.id)

/** Runs after whatever else changes this document in this index. */
export async function inTurn<T>(ctx: Context, index: IndexRow, documentId: string, work: () => Promise<T>): Promise<T> {
  const { changing } = stateOf(ctx)
  const key = `${index.id} ${documentId}`
  const turn = (changing.get(key) ?? Promise.resolve()).then(work, work)
  changing.set(key, turn)
  try {
    return await turn
  } finally {
    if (changing.get(key) === turn) changing.delete(key)
  }
}
