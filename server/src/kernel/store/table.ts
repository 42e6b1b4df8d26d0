import type { Kysely, RawBuilder } from 'kysely'
import type { Static, TObject } from 'typebox'
import { isBoolean, isNullable, isScalar, listProperties } from '../schema.ts'
import { type Db, inWorkspace, isPostgres } from './database.ts'
import { countRows, findPage, findRows, type ListSource, type Narrow, type Rows } from './find-page.ts'
import { type ListQuery, type Page, searchedFields } from './list.ts'
import { prepared, readRows, type Statement } from './statement.ts'
import type { TextIndex } from './text-index.ts'

export { type Narrow, narrowBy } from './find-page.ts'

/** A stored row: the resource as it is read, plus internal columns. */
export type Stored<Shape> = Shape & { id: string; revision: number }

type Cells = Record<string, unknown>
type Loose = Kysely<Record<string, Cells>>

export interface TableOptions {
  name: string
  shape: TObject
  /** Fields without a column, computed on read. */
  computed?: readonly string[]
  /** The rows belong to no workspace. Only for the workspaces themselves. */
  global?: boolean
  /** The values of columns that all of its rows have, if the table holds other kinds of rows too. */
  fixed?: Record<string, string>
  /** Filters other than equality with the column of that name. */
  filters?: Record<string, (query: Rows, value: unknown) => Rows>
  /** SQL for fields without a column that can be sorted and filtered by. */
  expressions?: Record<string, RawBuilder<unknown>>
  /** The index of `q`, for tables that can have a million rows. */
  textIndex?: TextIndex
}

/**
 * The table of a resource. Columns have the names of the fields; objects and arrays are stored as JSON text, so that
 * both engines return the same. Every statement filters by workspace.
 */
export function resourceTable<Shape extends TObject, Hidden extends Cells = Cells>(
  options: Omit<TableOptions, 'shape'> & { shape: Shape },
) {
  type Row = Stored<Static<Shape> & Hidden>
  const { name, filters = {}, expressions = {}, computed = [], fixed = {}, global = false, textIndex } = options
  const fields = listProperties(options.shape).filter(
    ([field, schema]) => !schema.writeOnly && !computed.includes(field),
  )
  const jsonFields = fields.filter(([, schema]) => !isScalar(schema)).map(([field]) => field)
  const booleanFields = fields.filter(([, schema]) => isBoolean(schema)).map(([field]) => field)
  const searched = searchedFields(options.shape)
  const loose = (db: Db) => db as unknown as Loose

  const encode = (row: Cells): Cells => {
    const cells = { ...row }
    for (const field of jsonFields) if (cells[field] !== undefined) cells[field] = JSON.stringify(cells[field])
    for (const field of computed) delete cells[field]
    return cells
  }
  const decode = (cells: Cells): Row => {
    for (const field of jsonFields) if (cells[field] !== undefined) cells[field] = JSON.parse(cells[field] as string)
    for (const field of booleanFields) if ((cells[field] ?? null) !== null) cells[field] = Boolean(cells[field])
    return cells as Row
  }
  const toExpression = (field: string) => expressions[field] ?? field
  const key = (workspace: string, id?: string) => ({
    ...(!global && { workspace_id: workspace }),
    ...fixed,
    ...(id !== undefined && { id }),
  })
  const having = (rows: Rows, cells: Cells): Rows =>
    Object.entries(cells).reduce((query, [column, value]) => query.where(column, '=', value), rows)
  const all = (db: Db) => loose(db).selectFrom(name) as unknown as Rows
  const where = (db: Db, workspace: string, id?: string): Rows => having(all(db), key(workspace, id))

  const findPrepared = prepared((db, cells: Cells) => having(all(db), cells).selectAll())
  const find = async (db: Db, workspace: string, id: string): Promise<Row | undefined> => {
    const [cells] = await readRows<Cells>(db, findPrepared(db, key(workspace, id)))
    return cells && decode(cells)
  }

  const insertPrepared = prepared((db, cells: Cells) => loose(db).insertInto(name).values(cells))

  const nullable = new Set(fields.filter(([, schema]) => isNullable(schema)).map(([field]) => field))
  const listSource = (db: Db, workspace: string, narrow: Narrow | undefined): ListSource => ({
    db,
    workspace,
    rows: narrow?.(where(db, workspace)) ?? where(db, workspace),
    rowsWith(condition) {
      const rows = having(all(db), fixed).where(inWorkspace(db, workspace)).where(condition)
      return narrow?.(rows) ?? rows
    },
    searched,
    filters,
    toExpression,
    canBeNull: (field) => nullable.has(field),
    textIndex,
  })

  return {
    name,
    find,
    count: (db: Db, workspace: string, narrow?: Narrow): Promise<number> =>
      countRows(narrow?.(where(db, workspace)) ?? where(db, workspace)),

    /** The ids of the rows that a condition leaves out. */
    async idsOutside(db: Db, workspace: string, narrow: Narrow): Promise<string[]> {
      const within = narrow(where(db, workspace)).select('id')
      const rows = await where(db, workspace).where('id', 'not in', within).select('id').execute()
      return rows.map(({ id }) => id as string)
    },

    /** The names of the rows with these ids, if the rows have names. */
    async names(db: Db, workspace: string, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
      if (!('name' in options.shape.properties) || ids.length === 0) return []
      const rows = await where(db, workspace).select(['id', 'name']).where('id', 'in', ids).execute()
      return rows as unknown as { id: string; name: string }[]
    },

    /** The row, locked until the transaction ends. */
    async lock(tx: Db, workspace: string, id: string): Promise<Row | undefined> {
      const query = where(tx, workspace, id).selectAll()
      const cells = await (isPostgres(tx) ? query.forUpdate() : query).executeTakeFirst()
      return cells && decode(cells)
    },

    /** Whether the row exists. Prevents its deletion until the transaction ends. */
    async lockIfExists(tx: Db, workspace: string, id: string): Promise<boolean> {
      const query = where(tx, workspace, id).select('id')
      return (await (isPostgres(tx) ? query.forKeyShare() : query).executeTakeFirst()) !== undefined
    },

    async insert(db: Db, workspace: string, row: Row): Promise<void> {
      await loose(db)
        .insertInto(name)
        .values({ ...encode(row), ...key(workspace) })
        .execute()
    },

    /** An insert for grouped commits. */
    insertStatement: (db: Db, workspace: string, row: Row): Statement =>
      insertPrepared(db, { ...encode(row), ...key(workspace) }),

    async update(db: Db, workspace: string, id: string, changes: Partial<Row>): Promise<void> {
      await loose(db)
        .updateTable(name)
        .set(encode(changes))
        .where((is) => is.and(key(workspace, id)))
        .execute()
    },

    async remove(db: Db, workspace: string, id: string): Promise<void> {
      await loose(db)
        .deleteFrom(name)
        .where((is) => is.and(key(workspace, id)))
        .execute()
    },

    async list(db: Db, workspace: string, query: ListQuery, narrow?: Narrow): Promise<Page<Row>> {
      const { cells, total } = await findPage(listSource(db, workspace, narrow), query)
      return { rows: cells.map(decode), total }
    },

    /** The first rows of a list, not counted. */
    async first(db: Db, workspace: string, query: Omit<ListQuery, 'page'>, narrow?: Narrow): Promise<Row[]> {
      return (await findRows(listSource(db, workspace, narrow), { ...query, page: 1 })).map(decode)
    },
  }
}
