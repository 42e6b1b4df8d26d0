import type { Caller, Context } from '../../kernel/context.ts'
import { collection } from '../../kernel/store/collection.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { computed } from '../indexes/schema.ts'
import { asked, releaseIndex, retrievalBy, retrieve, type SearchResult } from '../indexes/service.ts'
import { statusInSql } from '../indexes/status-in-sql.ts'
import { modelOfType, settleIndex, withIndexState } from '../indexes/tool-settings.ts'
import { knowledgeToolbox } from '../indexes/toolbox.ts'
import { sourceKind } from '../knowledge-sources/service.ts'
import { defaultModel, models } from '../models/service.ts'
import { writeAnswer } from './answer.ts'
import { type QueryBody, RagTool } from './schema.ts'

/** The ids behind the names that the caller gave for models. */
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
  computed,
  expressions: { status: statusInSql('rag_tool') },
  async complete(change) {
    const { tx, who, next, previous } = change
    if (!previous || previous.model_id !== next.model_id) {
      next.resolved_model_id =
        next.model_id === null ? null : (await modelOfType(tx, who, 'model_id', next.model_id, 'chat')).id
    }
    await settleIndex(change, [next.knowledge_source_id])
  },
  references: (tool) => [
    { field: 'knowledge_source_id', target: tool.knowledge_source_id, kind: sourceKind },
    { field: 'embedding_model', target: tool.resolved_embedding_id },
    ...(tool.resolved_model_id === null ? [] : [{ field: 'model_id', target: tool.resolved_model_id }]),
  ],
  async removed({ tx, who, row }) {
    await releaseIndex(tx, who.workspace, row.id)
  },
})

/** Without a look at its index. */
export const createRagTool = rows.create

export const ragTools = {
  ...withIndexState(rows),
  prefix: rows.prefix,
  table: rows.table,
  find: rows.find,
  count: rows.count,
}

/** Finds passages and answers from them. */
export async function query(ctx: Context, who: Caller, id: string, body: QueryBody, signal: AbortSignal) {
  const tool = await rows.get(ctx, who, id)
  const results = await retrieve(ctx, who, id, asked(retrievalBy(tool, body.query), body), signal)
  const found = { query: body.query, results }
  return body.answer
    ? { ...found, ...(await answer(ctx, who, tool, body.query, results, signal)) }
    : { ...found, answer: null, citations: [] }
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
  retrievalOf: (_ctx, _who, tool, question) => retrievalBy(tool, question),
  sourcesOf: (tool) => [tool.knowledge_source_id],
})
