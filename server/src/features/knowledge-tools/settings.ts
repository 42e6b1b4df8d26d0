import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Db } from '../../kernel/store/database.ts'
import { assignIndex, defaultChunkOverlap } from '../indexes/service.ts'
import { defaultModel, type ModelRow, models, resolve } from '../models/service.ts'

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
