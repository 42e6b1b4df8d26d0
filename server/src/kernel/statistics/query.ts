import type { ColumnCache } from './column-cache.ts'
import type { Dataset, DatasetTable, DateRange, Day } from './dataset.ts'
import { dayDecoder, encodeDay } from './encoding.ts'
import type { Cell, Snapshot, Source } from './source.ts'

export interface Query<Question> extends DateRange {
  workspace: string
  question: Question
}

/** Reloads the days that have changed since they were cached, then aggregates the requested ones. */
export async function queryDataset<Question, Result>(
  source: Source,
  cache: ColumnCache,
  dataset: Dataset<Question, Result>,
  query: Query<Question>,
): Promise<Result> {
  try {
    return await source.read(async (snapshot) => {
      await refresh(snapshot, cache, dataset, query)
      const result = dataset.aggregate(daysOf(cache, dataset, query), cache.names(query.workspace), query.question)
      cache.commit()
      return result
    })
  } finally {
    cache.rollback()
  }
}

/** Drops the data of deleted workspaces. */
export const removeDeletedWorkspaces = (source: Source, cache: ColumnCache): Promise<void> =>
  source.read(async (snapshot) => {
    const rows = await snapshot.rows('select id from workspace', {})
    cache.retainOnly(rows.map(([id]) => String(id)))
  })

/** Returns with an open transaction of the cache in which every day is as the snapshot has it. */
async function refresh<Question, Result>(
  snapshot: Snapshot,
  cache: ColumnCache,
  dataset: Dataset<Question, Result>,
  { workspace, from, to }: Query<Question>,
): Promise<void> {
  const current = await stampsIn(snapshot, dataset, { workspace, from, to })
  const changed = () => {
    const cached = cache.stamps(workspace, dataset.name)
    return [...current].filter(([day, stamp]) => cached.get(day) !== stamp)
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

/** The definition of the tables is part of the stamp, so that another version of the dataset does not use its days. */
async function stampsIn(
  snapshot: Snapshot,
  { stamps, tables }: Pick<Dataset<unknown, unknown>, 'stamps' | 'tables'>,
  parameters: { workspace: string } & DateRange,
): Promise<Map<string, string>> {
  const definition = JSON.stringify(tables)
  const found = new Map<string, string>()
  for (const [day, stamp] of await snapshot.rows(stamps, { ...parameters }))
    found.set(String(day), `${found.get(String(day)) ?? definition} ${stamp}`)
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
