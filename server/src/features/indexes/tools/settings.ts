import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import { referrersOf } from '../../../kernel/store/references.ts'
import { hiddenSources, seesWhole } from '../../knowledge-sources/access/visible.ts'
import { defaultModel, type ModelRow, models, resolve } from '../../models/service.ts'
import { computed } from '../schema.ts'
import { assignIndex, defaultChunkOverlap, type IndexView, viewIndex } from '../service.ts'
import { deleteUse, findServingIndex, statusColumn } from '../store.ts'

/** The fields of a tool that determine its index. */
interface Settings {
  id: string
  embedding_model: string | null
  chunk_size: number
  chunk_overlap: number | null
  resolved_embedding_id: string
}

interface SettingsChange {
  ctx: Context
  tx: Db
  who: Caller
  next: Settings
  previous: Settings | undefined
}

/** The options that the collections of both kinds of tools share. */
export const toolOptions = (table: 'rag_tool' | 'retrieval_tool') => ({
  computed,
  expressions: { status: statusColumn(table) },
  /** A tool over a source that the caller may not see. */
  hides: async (ctx: Context, who: Caller): Promise<string[]> =>
    referrersOf(ctx.db, who.workspace, await hiddenSources(ctx, who)),
  async removed({ tx, who, row }: { tx: Db; who: Caller; row: { id: string } }): Promise<void> {
    await deleteUse(tx, who.workspace, row.id)
  },
})

const defaultOverlapShare = 0.15

/** Checks the settings of a tool, fills in defaults and assigns an index. */
export async function applySettings(change: SettingsChange, sources: readonly string[]): Promise<void> {
  const { ctx, tx, who, next } = change
  next.chunk_overlap ??= Math.min(defaultChunkOverlap, Math.floor(next.chunk_size * defaultOverlapShare))
  if (next.chunk_overlap >= next.chunk_size) {
    invalid('chunk_overlap', `must be less than chunk_size (${next.chunk_size})`)
  }
  const model = await embeddingModel(change)
  next.embedding_model ??= model.model_id
  next.resolved_embedding_id = model.id
  const settings = { sources, chunkSize: next.chunk_size, chunkOverlap: next.chunk_overlap, model }
  await assignIndex(ctx, tx, who.workspace, next.id, settings)
}

async function embeddingModel({ ctx, tx, who, next, previous }: SettingsChange): Promise<ModelRow> {
  if (next.embedding_model === null) return defaultModel(tx, who, 'embedding')
  if (previous && previous.embedding_model === next.embedding_model) {
    return models.get({ ...ctx, db: tx }, who, previous.resolved_embedding_id)
  }
  return resolve(tx, who, 'embedding_model', next.embedding_model, 'embedding')
}

/** A tool as it was at one time, and the index that served it. */
export interface PinnedTool<R> {
  tool: R
  indexId: string | null
}

export const pinTool = async <R extends { id: string }>(tx: Db, who: Caller, tool: R): Promise<PinnedTool<R>> => ({
  tool,
  indexId: (await findServingIndex(tx, who.workspace, tool.id))?.id ?? null,
})

interface OverSources {
  id: string
  knowledge_source_id?: string
  knowledge_source_ids?: string[]
}

interface Rows<R extends OverSources> {
  kind: string
  list(ctx: Context, who: Caller, query: ListQuery): Promise<Page<R>>
  get(ctx: Context, who: Caller, id: string): Promise<R>
  create(ctx: Context, who: Caller, body: object, db?: Db): Promise<R>
  update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<R>
  remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void>
}

/** Adds the state of its index to every tool that is read. */
export function withIndexState<R extends OverSources>(rows: Rows<R>) {
  const view = async (ctx: Context, who: Caller, row: R): Promise<R & IndexView> => {
    const state = await viewIndex(ctx, who.workspace, row.id)
    const sources = row.knowledge_source_ids ?? (row.knowledge_source_id === undefined ? [] : [row.knowledge_source_id])
    return {
      ...row,
      ...((await seesWhole(ctx, who, sources)) ? state : { ...state, status_message: null, index: null }),
    }
  }
  return {
    kind: rows.kind,
    async list(ctx: Context, who: Caller, query: ListQuery): Promise<Page<R & IndexView>> {
      const page = await rows.list(ctx, who, query)
      return { rows: await Promise.all(page.rows.map((row) => view(ctx, who, row))), total: page.total }
    },
    get: async (ctx: Context, who: Caller, id: string) => view(ctx, who, await rows.get(ctx, who, id)),
    create: async (ctx: Context, who: Caller, body: object) => view(ctx, who, await rows.create(ctx, who, body)),
    update: async (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string) =>
      view(ctx, who, await rows.update(ctx, who, id, body, ifMatch)),
    remove: rows.remove,
  }
}
