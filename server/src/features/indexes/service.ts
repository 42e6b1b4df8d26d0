import { createHash } from 'node:crypto'
import { miniLmModel } from '@parley/embedding'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import type { IndexState } from '../knowledge-sources/schema.ts'
import { builtInModel, type ModelRow } from '../models/service.ts'
import { isEmbeddedLater, modelIdentity } from './embedding.ts'
import { enqueueBuild, enqueueEmbedding } from './queue.ts'
import { describe } from './state.ts'
import {
  findByFingerprint,
  findIndexOfTool,
  findUse,
  type IndexRow,
  indexesOver,
  insertIndex,
  saveUse,
  setIndex,
} from './store.ts'

export { deleteUse, findServingIndex, toolStatusColumn } from './store.ts'

/** The settings that make an index: tools with the same ones share it. */
export interface IndexSettings {
  sources: readonly string[]
  chunkSize: number
  chunkOverlap: number
  model: Pick<ModelRow, 'id' | 'provider' | 'model_id' | 'endpoint' | 'options'>
}

const defaultChunkSize = 400
export const defaultChunkOverlap = 60

function newIndex(ctx: Context, workspace: string, settings: IndexSettings): IndexRow {
  const sources = [...new Set(settings.sources)].sort()
  const model = modelIdentity(settings.model)
  const fingerprinted = JSON.stringify([sources, settings.chunkSize, settings.chunkOverlap, model])
  return {
    id: ctx.newId('idx'),
    workspace_id: workspace,
    fingerprint: createHash('sha256').update(fingerprinted).digest('hex'),
    chunk_size: settings.chunkSize,
    chunk_overlap: settings.chunkOverlap,
    model_id: settings.model.id,
    model,
    is_default:
      sources.length === 1 &&
      settings.chunkSize === defaultChunkSize &&
      settings.chunkOverlap === defaultChunkOverlap &&
      model === miniLmModel.id,
    status: 'pending',
    status_message: null,
    refine_message: null,
    used_at: ctx.now(),
    unneeded_since: null,
    embedding_node: null,
    embedding_until: 0,
    embedding_rate: null,
    created_at: timestamp(ctx.now()),
    updated_at: timestamp(ctx.now()),
  }
}

/** Assigns an index to a tool. A new one is built in the background; until it is ready, the old one serves. */
export async function assignIndex(
  ctx: Context,
  tx: Db,
  workspace: string,
  toolId: string,
  settings: IndexSettings,
): Promise<void> {
  const index = newIndex(ctx, workspace, settings)
  const isNew = await insertIndex(tx, index, [...new Set(settings.sources)])
  const wanted = isNew ? index : ((await findByFingerprint(tx, workspace, index.fingerprint)) ?? index)
  const isReady = wanted.status === 'ready'
  if (!isReady) await enqueueBuild(ctx, tx, wanted)
  if (!isNew) await setIndex(tx, wanted, { unneeded_since: null, used_at: ctx.now() })
  const before = await findUse(tx, workspace, toolId)
  const serving = isReady ? wanted.id : (before?.serving_id ?? wanted.id)
  await saveUse(tx, { tool_id: toolId, workspace_id: workspace, wanted_id: wanted.id, serving_id: serving })
  if (isReady && isEmbeddedLater(wanted)) await enqueueEmbedding(ctx, tx, wanted)
}

/**
 * The indexes over a source, among them the default one. Every source gets that with its first document, so that a tool
 * with default settings is ready at once.
 */
export async function indexesWithDefault(ctx: Context, workspace: string, sourceId: string): Promise<IndexRow[]> {
  const existing = await indexesOver(ctx.db, workspace, sourceId)
  if (existing.some((index) => index.is_default)) return existing
  const model = await builtInModel(ctx.db, { workspace }, 'all-MiniLM-L6-v2')
  const settings = { sources: [sourceId], chunkSize: defaultChunkSize, chunkOverlap: defaultChunkOverlap, model }
  const index: IndexRow = { ...newIndex(ctx, workspace, settings), status: 'ready', used_at: 0 }
  await ctx.db.transaction().execute((tx) => insertIndex(tx, index, [sourceId]))
  return indexesOver(ctx.db, workspace, sourceId)
}

/** The state of a tool's index, as part of the tool. */
export interface IndexView {
  status: IndexRow['status']
  status_message: string | null
  /** Null if the caller may not see every document in it. */
  index: IndexState
}

export async function viewIndex(ctx: Context, workspace: string, toolId: string): Promise<IndexView> {
  const index = await findIndexOfTool(ctx.db, workspace, toolId)
  if (!index) {
    const updated_at = timestamp(ctx.now())
    const empty = { documents: 0, chunks: 0, refined: 0, seconds_left: null, updated_at }
    return { status: 'pending', status_message: null, index: empty }
  }
  return { status: index.tool_status, status_message: statusMessage(index), index: await readState(ctx, index) }
}

/** The size of an index and how far the embedding model is. */
export async function readState(ctx: Context, index: IndexRow): Promise<IndexState> {
  const { documents, chunks, embedded } = await describe(ctx, index)
  const refined = isEmbeddedLater(index) ? embedded : chunks
  const isRunning = index.embedding_until > ctx.now() && index.embedding_rate !== null
  const seconds_left =
    refined < chunks && isRunning ? Math.ceil((chunks - refined) / (index.embedding_rate ?? 1)) : null
  return { documents, chunks, refined, seconds_left, updated_at: index.updated_at }
}

function statusMessage(index: IndexRow & { tool_status: IndexRow['status'] }): string | null {
  if (index.status !== 'ready') return index.status_message
  if (index.tool_status === 'error') return 'The knowledge source could not be read. Its status_message says why.'
  return index.tool_status === 'ready' ? (index.refine_message ?? index.status_message) : null
}
