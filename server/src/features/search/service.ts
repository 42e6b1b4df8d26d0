import type { Static } from 'typebox'
import type { Caller, Context } from '../../kernel/context.ts'
import { allows, type Permission } from '../../kernel/http/permissions.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import { agents } from '../agents/service.ts'
import { apiTools } from '../api-tools/service.ts'
import { conversations } from '../conversations/service.ts'
import { evaluations } from '../evaluations/service.ts'
import { visibleDocuments } from '../knowledge-sources/access/visible.ts'
import { documents, knowledgeSources } from '../knowledge-sources/service.ts'
import { ragTools, retrievalTools } from '../knowledge-tools/service.ts'
import { models } from '../models/service.ts'
import { promptTemplates } from '../prompt-templates/service.ts'
import type { Found } from './schema.ts'

type Result = Static<typeof Found>
type Row = Pick<Result, 'id' | 'name' | 'created_at' | 'updated_at'> & {
  description?: string | null
  knowledge_source_id?: string | null
}

interface Searched {
  type: Result['type']
  may: Permission
  first(ctx: Context, who: Caller, query: Omit<ListQuery, 'page'>): Promise<Row[]>
}

const firstDocuments: Searched['first'] = async (ctx, who, query) =>
  documents.first(ctx.db, who.workspace, query, await visibleDocuments(ctx, who))

const searched: Searched[] = [
  { type: 'agent', may: 'read-agents', first: agents.first },
  { type: 'knowledge_source', may: 'read-configuration', first: knowledgeSources.first },
  { type: 'document', may: 'read-configuration', first: firstDocuments },
  { type: 'rag_tool', may: 'read-configuration', first: ragTools.first },
  { type: 'retrieval_tool', may: 'read-configuration', first: retrievalTools.first },
  { type: 'api_tool', may: 'read-configuration', first: apiTools.first },
  { type: 'prompt_template', may: 'read-configuration', first: promptTemplates.first },
  { type: 'model', may: 'read-configuration', first: models.first },
  { type: 'evaluation', may: 'read-configuration', first: evaluations.first },
]

/** Everything with these words that the caller may read, the newest of each type. */
export async function search(ctx: Context, who: Caller, { q, limit }: { q: string; limit: number }): Promise<Result[]> {
  const query = { limit, sort: 'updated_at', order: 'desc', where: {}, fields: undefined } as const
  const byName = searched
    .filter(({ may }) => allows(may, who.role))
    .map(async ({ type, first }) => {
      const rows = await first(ctx, who, { ...query, q })
      return rows.map((row) => toResult(type, row))
    })
  const results = await Promise.all([
    ...byName,
    findConversations(ctx, who, { ...query, q: undefined, where: { search: q } }),
  ])
  return results.flat()
}

async function findConversations(ctx: Context, who: Caller, query: Omit<ListQuery, 'page'>): Promise<Result[]> {
  if (!allows('converse', who.role)) return []
  const { rows } = await conversations.list(ctx, who, { ...query, page: 1 })
  return rows.map(({ title, matches = [], ...row }) => ({
    ...toResult('conversation', { ...row, name: title ?? 'Untitled' }),
    matches,
  }))
}

const toResult = (type: Result['type'], row: Row): Result => ({
  type,
  id: row.id,
  name: row.name,
  description: row.description ?? null,
  knowledge_source_id: row.knowledge_source_id ?? null,
  matches: [],
  created_at: row.created_at,
  updated_at: row.updated_at,
})
