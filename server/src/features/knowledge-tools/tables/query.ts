import { matchesFilters } from '@parley/search'
import { namesIn, type QueryResult, readStatement, SqlError } from '@parley/tables'
import { ThreadError } from '@parley/threads'
import { turnKey } from '../../../kernel/caller.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, Problem } from '../../../kernel/errors.ts'
import { readTables, readText, type SourceTable, tableBatches } from '../../knowledge-sources/tables/service.ts'
import type { TableQueryResult } from '../schema.ts'
import { sourceIds, type ToolRow } from '../tools.ts'

/** The tables of a tool that the caller may see, the newest first, in batches. */
export const tablesWith = (ctx: Context, who: Caller, tool: ToolRow): AsyncGenerator<SourceTable[]> =>
  tableBatches(ctx, who, sourceIds(tool), buildFilter(tool))

function buildFilter({ filters }: ToolRow): { isMatch?: (table: SourceTable) => boolean } {
  if (Object.keys(filters).length === 0) return {}
  return {
    isMatch({ document_id: documentId, document_name: source, page, document_metadata }) {
      const metadata = JSON.parse(document_metadata) as Record<string, unknown>
      return matchesFilters({ source, page, documentId, metadata }, filters)
    },
  }
}

export interface TableAnswer extends QueryResult {
  tables: SourceTable[]
}

/** Runs a statement on the tables that it names. Tables and rows that the caller may not see do not exist for it. */
export async function runSql(
  ctx: Context,
  who: Caller,
  tool: ToolRow,
  sql: string,
  signal: AbortSignal,
): Promise<TableAnswer> {
  if (!tool.tables) invalid('tables', 'is false for this tool; set it to true to query tables')
  try {
    const names = [...namesIn(readStatement(sql))]
    const tables = await readTables(ctx, who, sourceIds(tool), { names, ...buildFilter(tool) })
    requireFits(tables)
    const loaded = await Promise.all(
      tables.map(async ({ id, sql_name, columns }) => ({
        sqlName: sql_name,
        columns,
        text: await readText(ctx, who.workspace, id),
      })),
    )
    return { ...(await ctx.tables.query(loaded, sql, { signal, key: turnKey(who) })), tables }
  } catch (error) {
    if (error instanceof ThreadError && error.code === 'overloaded') throw new Problem('overloaded', error.message)
    if (!(error instanceof SqlError)) throw error
    throw new Problem('invalid_sql', await withTableNames(ctx, who, tool, error.message))
  }
}

/** Enough for two of the longest tables that are stored. More would leave too little memory to other queries. */
const maxCharacters = 40_000_000

export function requireFits(tables: readonly Pick<SourceTable, 'sql_name' | 'start' | 'end'>[]): void {
  const characters = tables.reduce((sum, { start, end }) => sum + end - start, 0)
  if (characters > maxCharacters)
    throw new SqlError(
      `The tables of this query have ${Math.ceil(characters / 1_000_000)} million characters, more than ${maxCharacters / 1_000_000}. Name fewer of them.`,
    )
}

const maxNames = 20

/** Says which tables there are, if a statement names another. */
async function withTableNames(ctx: Context, who: Caller, tool: ToolRow, message: string): Promise<string> {
  if (!/no such table|there is no table/i.test(message)) return message
  const names: string[] = []
  for await (const tables of tablesWith(ctx, who, tool)) {
    names.push(...tables.map(({ sql_name }) => sql_name))
    if (names.length > maxNames) break
  }
  if (names.length === 0) return `${message} This tool has no tables.`
  return `${message} There are: ${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', …' : ''}.`
}

export async function queryTables(
  ctx: Context,
  who: Caller,
  tool: ToolRow,
  sql: string,
  signal: AbortSignal,
): Promise<TableQueryResult> {
  const started = performance.now()
  const { columns, rows, truncated, citations, tables } = await runSql(ctx, who, tool, sql, signal)
  return {
    columns,
    rows,
    truncated,
    citations: citations.map(({ table, rows: cited, start, end }) => {
      const { id, document_id, start: offset } = tables[table] as SourceTable
      return { table_id: id, rows: cited, document_id, start: offset + start, end: offset + end }
    }),
    took_ms: Math.round((performance.now() - started) * 100) / 100,
  }
}
