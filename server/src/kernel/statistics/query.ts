import { LRUCache } from 'lru-cache'
import type { ColumnCache } from './column-cache.ts'
import type { Dataset, DatasetTable, DateRange, Day } from './dataset.ts'
import { dayDecoder, encodeDay } from './encoding.ts'
import type { Cell, Snapshot, Source } from './source.ts'

export interface Query<Question> extends DateRange {
  workspace: string
  question: Question
}

/** Caches results until a row of the requested days changes. */
export type Results = LRUCache<string, { stamps: string; result: object }>

export const emptyResults = (): Results => new LRUCache({ max: 200 })

/** Reloads the days that have changed since they were cached, then aggregates the requested ones. */
export async function queryDataset<Question, Result extends object>(
  source: Source,
  cache: ColumnCache,
  results: Results,
  dataset: Dataset<Question, Result>,
  query: Query<Question>,
): Promise<Result> {
  const key = JSON.stringify([dataset.name, query])
  try {
    return await source.read(async (snapshot) => {
      await removeErasedIn(snapshot, cache, results, query.workspace)
      const current = await stampsIn(snapshot, dataset, query)
      const stamps = JSON.stringify([...current])
      const known = results.get(key)
      if (known?.stamps === stamps) return known.result as Result
      await refresh(snapshot, cache, dataset, query.workspace, current)
      const result = dataset.aggregate(daysOf(cache, dataset, query), cache.names(query.workspace), query.question)
      cache.commit()
      results.set(key, { stamps, result })
      return result
    })
  } finally {
    cache.rollback()
  }
}

const lastErasures = `
  select workspace_id, max(finished_at || ' ' || id) from person_job
  where kind = 'erase' and status = 'completed' group by workspace_id`

/** Drops the data of a workspace in which people were erased since it was cached. */
async function removeErasedIn(snapshot: Snapshot, cache: ColumnCache, results: Results, workspace: string) {
  const rows = await snapshot.rows(`select * from (${lastErasures}) as erasures where workspace_id = $workspace`, {
    workspace,
  })
  for (const [, erasure] of rows) if (cache.removeBefore(workspace, String(erasure))) results.clear()
}

/** The same for all workspaces. */
export const removeErased = (source: Source, cache: ColumnCache, results: Results): Promise<void> =>
  source.read(async (snapshot) => {
    for (const [workspace, erasure] of await snapshot.rows(lastErasures, {}))
      if (cache.removeBefore(String(workspace), String(erasure))) results.clear()
  })

/** Drops the data of deleted workspaces. */
export const removeDeletedWorkspaces = (source: Source, cache: ColumnCache): Promise<void> =>
  source.read(async (snapshot) => {
    const rows = await snapshot.rows('select id from workspace', {})
    cache.retainOnly(rows.map(([id]) => String(id)))
  })

/**
 * Returns with an open transaction of the cache in which every day is as the snapshot has it. The definition of the tables is
 * part of the cached stamp, so that another version of the dataset does not use its days.
 */
async function refresh<Question, Result>(
  snapshot: Snapshot,
  cache: ColumnCache,
  dataset: Dataset<Question, Result>,
  workspace: string,
  current: Map<string, string>,
): Promise<void> {
  const definition = JSON.stringify(dataset.tables)
  const changed = () => {
    const cached = cache.stamps(workspace, dataset.name)
    return [...current]
      .map(([day, stamp]) => [day, `${definition}${stamp}`] as const)
      .filter(([day, stamp]) => cached.get(day) !== stamp)
  }
  cache.begin()
  if (changed().length === 0) return
  cache.commit()
  cache.beginWrite()
  const names = cache.names(workspace)
  for (const [day, stamp] of changed()) {
    const tables: Record<string, number[][]> = {}
    for (const [name, table] of Object.entries(dataset.tables))
      tables[name] = columnsOf(table, await snapshot.rows(table.rows, { workspace, day }), names.assign)
    cache.put(workspace, dataset.name, day, stamp, encodeDay(tables))
  }
}

async function stampsIn(
  snapshot: Snapshot,
  { stamps }: Pick<Dataset<unknown, unknown>, 'stamps'>,
  { workspace, from, to }: { workspace: string } & DateRange,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [day, stamp] of await snapshot.rows(stamps, { workspace, from, to }))
    found.set(String(day), `${found.get(String(day)) ?? ''} ${stamp}`)
  return found
}

function columnsOf(
  { columns }: DatasetTable,
  rows: Cell[][],
  assign: (kind: string, name: string) => number,
): number[][] {
  return Object.values(columns).map((column, index) =>
    rows.map((row) => {
      const cell = row[index] ?? null
      if (cell === null) return 0
      return column === 'number' ? Number(cell) + 1 : assign(column.name, String(cell))
    }),
  )
}

function* daysOf<Question, Result>(
  cache: ColumnCache,
  dataset: Dataset<Question, Result>,
  { workspace, from, to }: Query<Question>,
): Generator<Day> {
  const decode = dayDecoder(dataset.tables)
  for (const { day, data } of cache.days(workspace, dataset.name, from, to)) yield { day, tables: decode(data) }
}
