import { createHash } from 'node:crypto'
import { miniLmModel } from '@parley/embedding'
import type { IndexDescription } from '@parley/search'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import { type ModelRow, resolve } from '../models/service.ts'
import { identityOf, isRefinable } from './embedder.ts'
import { queueRefinement, queues } from './queues.ts'
import { describe, stateOf } from './state.ts'
import {
  deleteUse,
  findFingerprint,
  findIndex,
  findServing,
  findUse,
  type IndexRow,
  indexesOver,
  insertIndex,
  saveUse,
  setIndex,
  sourceStates,
  sourcesOf,
} from './store.ts'

/** What a tool wants to search. */
export interface IndexSpec {
  sources: readonly string[]
  chunkSize: number
  chunkOverlap: number
  model: Pick<ModelRow, 'id' | 'provider' | 'model_id' | 'endpoint' | 'options'>
}

const defaultChunkSize = 400
export const defaultChunkOverlap = 60
const builtInModel = 'all-MiniLM-L6-v2'

function newIndex(ctx: Context, workspace: string, spec: IndexSpec): IndexRow {
  const sources = [...new Set(spec.sources)].sort()
  const model = identityOf(spec.model)
  const settings = JSON.stringify([sources, spec.chunkSize, spec.chunkOverlap, model])
  return {
    id: ctx.newId('idx'),
    workspace_id: workspace,
    fingerprint: createHash('sha256').update(settings).digest('hex'),
    chunk_size: spec.chunkSize,
    chunk_overlap: spec.chunkOverlap,
    model_id: spec.model.id,
    model,
    is_default:
      sources.length === 1 &&
      spec.chunkSize === defaultChunkSize &&
      spec.chunkOverlap === defaultChunkOverlap &&
      model === miniLmModel.id,
    status: 'pending',
    status_message: null,
    refine_message: null,
    used_at: ctx.now(),
    unneeded_since: null,
    created_at: timestamp(ctx.now()),
    updated_at: timestamp(ctx.now()),
  }
}

/** Says which index a tool is to search from now on; it is built in the background where there is none like it. */
export async function useIndex(
  ctx: Context,
  tx: Db,
  workspace: string,
  toolId: string,
  spec: IndexSpec,
): Promise<void> {
  const index = newIndex(ctx, workspace, spec)
  const isNew = await insertIndex(tx, index, [...new Set(spec.sources)])
  const wanted = isNew ? index : ((await findFingerprint(tx, workspace, index.fingerprint)) ?? index)
  if (wanted.status !== 'ready') {
    await ctx.jobs.enqueue(tx, queues.build, { workspace, payload: { index: wanted.id }, key: `build ${wanted.id}` })
  }
  if (!isNew) await setIndex(tx, wanted, { unneeded_since: null })
  const before = await findUse(tx, workspace, toolId)
  const serving = wanted.status === 'ready' ? wanted.id : (before?.serving_id ?? wanted.id)
  await saveUse(tx, { tool_id: toolId, workspace_id: workspace, wanted_id: wanted.id, serving_id: serving })
  if (wanted.status === 'ready' && isRefinable(wanted)) await queueRefinement(ctx, tx, wanted)
}

export const releaseIndex = (tx: Db, workspace: string, toolId: string): Promise<unknown> =>
  deleteUse(tx, workspace, toolId)

/** The index that every source has from its first document on, so that a tool with usual settings need not wait. */
export async function ensureDefault(ctx: Context, workspace: string, sourceId: string): Promise<void> {
  const { withDefault } = stateOf(ctx)
  if (withDefault.has(sourceId)) return
  const over = await indexesOver(ctx.db, workspace, sourceId)
  if (!over.some((index) => index.is_default)) {
    const model = await resolve(ctx.db, { workspace }, 'embedding_model', builtInModel)
    const spec = { sources: [sourceId], chunkSize: defaultChunkSize, chunkOverlap: defaultChunkOverlap, model }
    const index: IndexRow = { ...newIndex(ctx, workspace, spec), status: 'ready' }
    await ctx.db.transaction().execute((tx) => insertIndex(tx, index, [sourceId]))
  }
  withDefault.add(sourceId)
}

/** The index that answers a tool's searches now. */
export async function servingIndex(ctx: Context, workspace: string, toolId: string): Promise<IndexRow | undefined> {
  const serving = await findServing(ctx.db, workspace, toolId)
  if (serving) return serving
  const use = await findUse(ctx.db, workspace, toolId) // what served is gone with its source
  return use && findIndex(ctx.db, workspace, use.wanted_id)
}

export interface IndexView {
  status: IndexRow['status']
  status_message: string | null
  index: { documents: number; chunks: number; refined: number; updated_at: string }
}

/** How far the index is that a tool asked for. */
export async function viewOf(ctx: Context, workspace: string, toolId: string): Promise<IndexView> {
  const use = await findUse(ctx.db, workspace, toolId)
  const index = use && (await findIndex(ctx.db, workspace, use.wanted_id))
  if (!index) {
    const updated_at = timestamp(ctx.now())
    return { status: 'pending', status_message: null, index: { documents: 0, chunks: 0, refined: 0, updated_at } }
  }
  const described = await describe(ctx, index)
  const states = await sourceStates(ctx.db, workspace, await sourcesOf(ctx.db, index))
  return {
    ...statusOf(index, described, states),
    index: {
      documents: described.documents,
      chunks: described.chunks,
      refined: isRefinable(index) ? described.embedded : described.chunks,
      updated_at: index.updated_at,
    },
  }
}

/** `ready` means that all of what the sources hold can be found. */
function statusOf(
  index: IndexRow,
  { documents }: IndexDescription,
  sources: string[],
): Pick<IndexView, 'status' | 'status_message'> {
  if (index.status !== 'ready') return { status: index.status, status_message: index.status_message }
  if (sources.includes('syncing')) return { status: 'indexing', status_message: null }
  if (documents === 0 && sources.includes('error')) {
    return { status: 'error', status_message: 'The knowledge source could not be read; it says why.' }
  }
  if (documents === 0 && sources.includes('pending')) return { status: 'pending', status_message: null }
  return { status: 'ready', status_message: index.refine_message ?? index.status_message }
}
