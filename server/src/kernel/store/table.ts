import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Static, TObject } from 'typebox'
import { isBoolean, isScalar, propertiesOf } from '../schema.ts'
import { type Db, isPostgres } from './database.ts'
import { type ListQuery, type Page, searchedFields } from './list.ts'
import type { Statement, StatementBuilder } from './statement.ts'

const unfiltered: Narrow = (rows) => rows

/** A stored row: the resource as it is read, plus internal columns. */
export type Stored<Shape> = Shape & { id: string; revision: number }

type Cells = Record<string, unknown>
type Loose = Kysely<Record<string, Cells>>
export type Narrow = (query: Rows) => Rows
type Rows = SelectQueryBuilder<Record<string, Cells>, string, Cells>

export interface TableOptions {
  name: string
  shape: TObject
  /** Fields without a column, computed on read. */
  computed?: readonly string[]
  /** The rows belong to no workspace. Only for the workspaces themselves. */
  global?: boolean
  /** Filters other than equality with the column of that name. */
  filters?: Record<string, (query: Rows, value: unknown) => Rows>
  /** SQL for fields without a column that can be sorted and filtered by. */
  expressions?: Record<string, RawBuilder<unknown>>
}

/**
 * The table of a resource. Columns have the names of the fields; objects and arrays are stored as JSON text, so that
 * both engines return the same. Every statement filters by workspace.
 */
export function resourceTable<Shape extends TObject, Hidden extends Cells = Cells>(
  options: Omit<TableOptions, 'shape'> & { shape: Shape },
) {
  type Row = Stored<Static<Shape> & Hidden>
  const { name, filters = {}, expressions = {}, computed = [], global = false } = options
  const fields = propertiesOf(options.shape).filter(([field, schema]) => !schema.writeOnly && !computed.includes(field))
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
    for (const field of booleanFields) if (cells[field] !== undefined) cells[field] = Boolean(cells[field])
    return cells as Row
  }
  const cellOf = (field: string) => expressions[field] ?? field
  const key = (workspace: string, id?: string) => ({
    ...(!global && { workspace_id: workspace }),
    ...(id !== undefined && { id }),
  })
  const where = (db: Db, workspace: string, id?: string): Rows => {
    let rows = loose(db).selectFrom(name) as unknown as Rows
    if (!global) rows = rows.where('workspace_id', '=', workspace)
    return id === undefined ? rows : rows.where('id', '=', id)
  }

  const find = async (db: Db, workspace: string, id: string): Promise<Row | undefined> => {
    const cells = await where(db, workspace, id).selectAll().executeTakeFirst()
    return cells && decode(cells)
  }

  const countOf = async (rows: Rows): Promise<number> => {
    const { total } = await rows.select((is) => is.fn.countAll().as('total')).executeTakeFirstOrThrow()
    return Number(total)
  }

  return {
    name,
    find,
    count: (db: Db, workspace: string): Promise<number> => countOf(where(db, workspace)),

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
    insertStatement: (statements: StatementBuilder, workspace: string, row: Row): Statement =>
      statements.insert(name, { ...encode(row), ...key(workspace) }),

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

    async list(db: Db, workspace: string, query: ListQuery, narrow: Narrow = unfiltered): Promise<Page<Row>> {
      let rows = narrow(where(db, workspace))
      for (const [field, value] of Object.entries(query.where)) {
        rows = filters[field]?.(rows, value) ?? rows.where(cellOf(field), '=', value)
      }
      for (const word of query.q?.toLowerCase().split(/\s+/).filter(Boolean) ?? []) {
        const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
        rows = rows.where((is) =>
          is.or(searched.map((field) => sql<boolean>`lower(${sql.ref(field)}) like ${pattern} escape '\\'`)),
        )
      }
      const total = await countOf(rows)
      const offset = (query.page - 1) * query.limit
      if (offset >= total) return { rows: [], total }
      const found = await (query.fields ? rows.select(query.fields) : rows.selectAll())
        .orderBy(cellOf(query.sort), (by) => (query.order === 'asc' ? by.asc().nullsLast() : by.desc().nullsLast()))
        .orderBy('id', query.order)
        .limit(query.limit)
        .offset(offset)
        .execute()
      return { rows: found.map(decode), total }
    },
  }
}
