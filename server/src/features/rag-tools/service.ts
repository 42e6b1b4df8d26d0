import type { Caller, Context } from '../../kernel/context.ts'
import { collection } from '../../kernel/store/collection.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { retrievalOf, type SearchResult, search, withOverrides } from '../indexes/search.ts'
import { applySettings, type PinnedTool, pinTool, toolOptions, withIndexState } from '../indexes/tools/settings.ts'
import { knowledgeToolbox } from '../indexes/tools/toolbox.ts'
import { sourceKind } from '../knowledge-sources/service.ts'
import { defaultModel, models, resolve } from '../models/service.ts'
import { writeAnswer } from './answer.ts'
import { type QueryBody, RagTool } from './schema.ts'

/** The ids of the models that the caller named. */
interface Resolved extends Record<string, unknown> {
  resolved_embedding_id: string
  resolved_model_id: string | null
}
type RagToolRow = Stored<RagTool & Resolved>

const rows = collection<typeof RagTool, Resolved>({
  name: 'rag_tool',
  shape: RagTool,
  prefix: 'rag',
  kind: 'RAG tool',
  ...toolOptions('rag_tool'),
  async complete(change) {
    const { tx, who, next, previous } = change
    if (!previous || previous.model_id !== next.model_id) {
      next.resolved_model_id =
        next.model_id === null ? null : (await resolve(tx, who, 'model_id', next.model_id, 'chat')).id
    }
    await applySettings(change, [next.knowledge_source_id])
  },
  references: (tool) => [
    { field: 'knowledge_source_id', target: tool.knowledge_source_id, kind: sourceKind },
    { field: 'embedding_model', target: tool.resolved_embedding_id },
    ...(tool.resolved_model_id === null ? [] : [{ field: 'model_id', target: tool.resolved_model_id }]),
  ],
})

/** Creates a tool without reading the state of its index. */
export const createRagTool = rows.create

export const ragTools = {
  ...withIndexState(rows),
  prefix: rows.prefix,
  table: rows.table,
  find: rows.find,
  first: rows.first,
  count: rows.count,
  unseen: rows.unseen,
}

export type PinnedRagTool = PinnedTool<RagToolRow>

/** The tool as it is now, with the model that writes its answers. */
export async function pinRagTool(tx: Db, who: Caller, id: string): Promise<PinnedRagTool | null> {
  const tool = await rows.find(tx, who, id)
  if (!tool) return null
  const resolved_model_id = tool.resolved_model_id ?? (await defaultModel(tx, who, 'chat')).id
  return pinTool(tx, who, { ...tool, resolved_model_id })
}

/** Finds passages and answers from them, with the tool as it is or as it was pinned. */
export async function query(
  ctx: Context,
  who: Caller,
  id: string,
  body: QueryBody,
  signal: AbortSignal,
  pinned: PinnedRagTool | null = null,
) {
  const tool = pinned?.tool ?? (await rows.get(ctx, who, id))
  const retrieval = { ...withOverrides(retrievalOf(tool, body.query), body), indexId: pinned?.indexId ?? null }
  const { results, ...state } = await search(ctx, who, id, retrieval, signal, { userId: who.userId })
  const answered = body.answer
    ? await answer(ctx, who, tool, body.query, results, signal)
    : { answer: null, citations: [] }
  return { query: body.query, results, ...answered, ...state }
}

async function answer(
  ctx: Context,
  who: Caller,
  tool: RagToolRow,
  question: string,
  results: SearchResult[],
  signal: AbortSignal,
) {
  const model =
    tool.resolved_model_id === null
      ? await defaultModel(ctx.db, who, 'chat')
      : await models.get(ctx, who, tool.resolved_model_id)
  return writeAnswer(ctx, who, { toolId: tool.id, model, question, results }, signal)
}

export const toolbox = knowledgeToolbox('rag', {
  find: rows.find,
  retrievalOf: (_ctx, _who, tool, question) => retrievalOf(tool, question),
  sourcesOf: (tool) => [tool.knowledge_source_id],
})
