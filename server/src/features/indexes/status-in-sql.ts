import { type RawBuilder, sql } from 'kysely'

/** The status of a tool as `viewOf` tells it, for lists to sort and filter by: what was read of a source is in its index. */
export function statusInSql(table: 'rag_tool' | 'retrieval_tool'): RawBuilder<unknown> {
  const ofTool = (column: string) => sql.ref(`${table}.${column}`)
  const anySource = (state: string) => sql`exists (
    select 1 from search_index_source s join knowledge_source k on k.id = s.source_id
    where s.workspace_id = i.workspace_id and s.index_id = i.id and k.status = ${sql.lit(state)})`
  const isEmpty = sql`not exists (
    select 1 from search_index_source s join knowledge_document d on d.knowledge_source_id = s.source_id
    where s.workspace_id = i.workspace_id and s.index_id = i.id and d.indexed_version is not null)`
  return sql`coalesce((
    select case
      when i.status <> 'ready' then i.status
      when ${anySource('syncing')} then 'indexing'
      when ${isEmpty} and ${anySource('error')} then 'error'
      when ${isEmpty} and ${anySource('pending')} then 'pending'
      else 'ready' end
    from search_index_use u join search_index i on i.id = u.wanted_id
    where u.workspace_id = ${ofTool('workspace_id')} and u.tool_id = ${ofTool('id')}), 'pending')`
}
