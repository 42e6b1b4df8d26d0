import type { TObject } from 'typebox'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { findReferrerIds, type Reference } from '../../kernel/store/references.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { computed } from '../indexes/schema.ts'
import { deleteUse, type IndexView, toolStatusColumn, viewIndex } from '../indexes/service.ts'
import { hiddenSources, seesWhole } from '../knowledge-sources/access/visible.ts'
import { sourceKind } from '../knowledge-sources/service.ts'
import { resolve } from '../models/service.ts'
import { RagTool, RetrievalTool } from './schema.ts'
import { applySettings } from './settings.ts'

type Either<Fields> = { [Name in keyof Fields]?: Fields[Name] | null }

/** A tool of either kind. The fields of the other kind are missing or null. */
type Tool = Omit<RagTool, 'knowledge_source_id' | 'model_id'> &
  Either<Pick<RagTool, 'knowledge_source_id' | 'model_id'>> &
  Either<Pick<RetrievalTool, 'knowledge_source_ids' | 'weights' | 'rerank'>> & {
    kind: 'rag' | 'retrieval'
    /** The ids of the models that the caller named. */
    resolved_embedding_id: string
    resolved_model_id: string | null
    resolved_rerank_id: string | null
  }
export type ToolRow = Stored<Tool>

export const sourceIds = ({ knowledge_source_id, knowledge_source_ids }: Tool): string[] =>
  knowledge_source_ids ?? [knowledge_source_id].filter((id) => typeof id === 'string')

const toolRows = (kind: Tool['kind'], prefix: 'rag' | 'ret', noun: string, shape: TObject) =>
  collection<TObject, Tool>({
    name: 'knowledge_tool',
    fixed: { kind },
    shape,
    prefix,
    kind: noun,
    computed,
    expressions: { status: toolStatusColumn('knowledge_tool') },
    async complete(change) {
      const { next } = change
      rejectRepeated(next.knowledge_source_ids ?? [])
      if (next.weights && next.weights.vector + next.weights.keyword === 0) invalid('weights', 'must not both be 0')
      await resolveModels(change)
      await applySettings(change, sourceIds(next))
    },
    references: toolReferences,
    /** A tool over a source that the caller may not see. */
    hides: async (ctx, who) => findReferrerIds(ctx.db, who.workspace, await hiddenSources(ctx, who)),
    async removed({ tx, who, row }) {
      await deleteUse(tx, who.workspace, row.id)
    },
  })

function rejectRepeated(ids: string[]): void {
  const repeated = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (repeated >= 0) invalid(`knowledge_source_ids[${repeated}]`, 'is listed twice')
}

const builtInRerankers: readonly string[] = ['none', 'mmr']

async function resolveModels({ tx, who, next, previous }: Change<ToolRow>): Promise<void> {
  const { model_id, rerank } = next
  if (!previous || previous.model_id !== model_id)
    next.resolved_model_id = model_id ? (await resolve(tx, who, 'model_id', model_id, 'chat')).id : null
  if (!previous || previous.rerank !== rerank) {
    const isModel = rerank && !builtInRerankers.includes(rerank)
    next.resolved_rerank_id = isModel ? (await resolve(tx, who, 'rerank', rerank, 'rerank')).id : null
  }
}

function toolReferences(tool: ToolRow): Reference[] {
  const models = {
    embedding_model: tool.resolved_embedding_id,
    model_id: tool.resolved_model_id,
    rerank: tool.resolved_rerank_id,
  }
  return [
    ...sourceIds(tool).map((target, at) => ({
      field: tool.knowledge_source_ids ? `knowledge_source_ids[${at}]` : 'knowledge_source_id',
      target,
      kind: sourceKind,
    })),
    ...Object.entries(models).flatMap(([field, target]) => (target === null ? [] : [{ field, target }])),
  ]
}

/** Adds the state of its index to every tool that is read. */
function withIndexState(rows: ReturnType<typeof toolRows>) {
  const view = async (ctx: Context, who: Caller, row: ToolRow): Promise<ToolRow & IndexView> => {
    const state = await viewIndex(ctx, who.workspace, row.id)
    const isWhole = await seesWhole(ctx, who, sourceIds(row))
    return { ...row, ...(isWhole ? state : { ...state, status_message: null, index: null }) }
  }
  return {
    ...rows,
    async list(ctx: Context, who: Caller, query: ListQuery): Promise<Page<ToolRow & IndexView>> {
      const page = await rows.list(ctx, who, query)
      return { rows: await Promise.all(page.rows.map((row) => view(ctx, who, row))), total: page.total }
    },
    get: async (ctx: Context, who: Caller, id: string) => view(ctx, who, await rows.get(ctx, who, id)),
    create: async (ctx: Context, who: Caller, body: object) => view(ctx, who, await rows.create(ctx, who, body)),
    update: async (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string) =>
      view(ctx, who, await rows.update(ctx, who, id, body, ifMatch)),
    /** Without the state of its index. */
    getRow: rows.get,
    createRow: rows.create,
  }
}

export const ragTools = withIndexState(toolRows('rag', 'rag', 'RAG tool', RagTool))
export const retrievalTools = withIndexState(toolRows('retrieval', 'ret', 'retrieval tool', RetrievalTool))
export type KnowledgeTools = typeof ragTools
