import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { defaultModel, type ModelRow, models, resolve } from '../models/service.ts'
import { defaultChunkOverlap, type IndexView, useIndex, viewOf } from './uses.ts'

/** The part of a tool's row that says what it searches, with our id of its embedding model. */
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

const usualShare = 0.15

/** Checks what a tool searches, fills in what was left out, and sees to it that there is such an index. */
export async function settleIndex(change: SettingsChange, sources: readonly string[]): Promise<void> {
  const { ctx, tx, who, next } = change
  next.chunk_overlap ??= Math.min(defaultChunkOverlap, Math.floor(next.chunk_size * usualShare))
  if (next.chunk_overlap >= next.chunk_size) {
    invalid('chunk_overlap', `must be less than chunk_size (${next.chunk_size})`)
  }
  const model = await embeddingModel(change)
  next.embedding_model ??= model.model_id
  next.resolved_embedding_id = model.id
  const spec = { sources, chunkSize: next.chunk_size, chunkOverlap: next.chunk_overlap, model }
  await useIndex(ctx, tx, who.workspace, next.id, spec)
}

async function embeddingModel({ ctx, tx, who, next, previous }: SettingsChange): Promise<ModelRow> {
  if (next.embedding_model === null) return defaultModel(tx, who, 'embedding')
  if (previous && previous.embedding_model === next.embedding_model) {
    return models.get({ ...ctx, db: tx }, who, previous.resolved_embedding_id)
  }
  return modelOfType(tx, who, 'embedding_model', next.embedding_model, 'embedding')
}

/** The model that a field means, which must be of one type. */
export async function modelOfType(
  tx: Db,
  who: Caller,
  field: string,
  reference: string,
  type: ModelRow['type'],
): Promise<ModelRow> {
  const model = await resolve(tx, who, field, reference)
  if (model.type !== type) invalid(field, `is a model of type ${model.type}; this needs one of type ${type}`)
  return model
}

interface Rows<R extends { id: string }> {
  kind: string
  list(...given: Parameters<Listing<R>>): Promise<Page<R>>
  get(ctx: Context, who: Caller, id: string): Promise<R>
  create(ctx: Context, who: Caller, body: object, db?: Db): Promise<R>
  update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<R>
  remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void>
}
type Listing<R> = (ctx: Context, who: Caller, query: ListQuery) => Promise<Page<R>>

/** The rules of a tool, with the state of its index in whatever is read. */
export function withIndexState<R extends { id: string }>(rows: Rows<R>) {
  const view = async (ctx: Context, who: Caller, row: R): Promise<R & IndexView> => ({
    ...row,
    ...(await viewOf(ctx, who.workspace, row.id)),
  })
  return {
    kind: rows.kind,
    async list(...given: Parameters<Listing<R>>): Promise<Page<R & IndexView>> {
      const { rows: found, total } = await rows.list(...given)
      const [ctx, who] = given
      return { rows: await Promise.all(found.map((row) => view(ctx, who, row))), total }
    },
    get: async (ctx: Context, who: Caller, id: string) => view(ctx, who, await rows.get(ctx, who, id)),
    create: async (ctx: Context, who: Caller, body: object) => view(ctx, who, await rows.create(ctx, who, body)),
    update: async (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string) =>
      view(ctx, who, await rows.update(ctx, who, id, body, ifMatch)),
    remove: rows.remove,
  }
}
