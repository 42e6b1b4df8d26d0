import type BetterSqlite from 'better-sqlite3'

export interface StoredVector {
  vector: Buffer
  dimensions: number
}

/** Finds a vector of the model for the same text within the workspace, if it has the dimensions of the index. */
export function vectorFinder(db: BetterSqlite.Database) {
  const find = db.prepare<[Buffer, string, string, number], StoredVector>(
    `select v.vector, i.dimensions from search_text t
     join search_vector v on v.chunk = t.chunk join search_chunk c on c.id = t.chunk
     join search_index i on i.id = c.index_id
     where t.hash = ? and i.workspace = ? and i.model = ? and i.dimensions =
       coalesce((select dimensions from search_index where id = ?), i.dimensions) limit 1`,
  )
  return (hash: Buffer, workspace: string, model: string, index: number): StoredVector | undefined =>
    find.get(hash, workspace, model, index)
}
