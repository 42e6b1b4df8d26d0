import type BetterSqlite from 'better-sqlite3'

/** A vector that the same text has elsewhere in the workspace. */
export interface Twin {
  vector: Buffer
  dimensions: number
}

/** Finds a vector of the same text by the same model in the workspace that fits into the index. */
export function twinFinder(db: BetterSqlite.Database) {
  const find = db.prepare<[Buffer, string, string, number], Twin>(
    `select f.vector, i.fine_dimensions as dimensions from search_text t
     join search_fine f on f.chunk = t.chunk join search_chunk c on c.id = t.chunk
     join search_index i on i.id = c.index_id
     where t.hash = ? and i.workspace = ? and i.fine_model = ? and i.fine_dimensions =
       coalesce((select fine_dimensions from search_index where id = ?), i.fine_dimensions) limit 1`,
  )
  return (hash: Buffer, workspace: string, model: string, index: number): Twin | undefined =>
    find.get(hash, workspace, model, index)
}
