import { type Kysely, sql } from 'kysely'
import type { Context, PersonalData, PersonalFunctions } from '../../kernel/context.ts'
import {
  containing,
  type ErasedPerson,
  jsonLines,
  type ListsOfUsers,
  oidcIdentity,
  type Person,
  type PersonalTable,
  withoutUser,
} from '../../kernel/personal-data.ts'
import { type Db, inTransaction, isPostgres } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'

type Row = Record<string, unknown>
/** The tables are only known from their declarations. */
const loose = (db: Db) => db as unknown as Kysely<Record<string, Row>>

const batchSize = 500

/** The functions that a declaration stands for. */
export const toFunctions = (data: PersonalData): PersonalFunctions => {
  if (!('table' in data)) return data
  if ('users' in data) return { erase: (ctx, person) => removeFromLists(ctx, person, data) }
  const { exported, erased } = data
  return {
    ...(exported && {
      async *files(ctx: Context, person: Person) {
        yield { name: exported.file, content: jsonLines(exportedRows(ctx, person, data, exported)) }
      },
    }),
    ...(erased && { erase: (ctx: Context, person: ErasedPerson) => eraseBatch(ctx, person, data, erased) }),
  }
}

const nameIn = ({ identity }: PersonalTable, name: string): string => (identity ? oidcIdentity(name) : name)

function selectRows(db: Db, { workspace, userId }: Person, declared: PersonalTable) {
  const rows = loose(db)
    .selectFrom(declared.table)
    .where('workspace_id', '=', workspace)
    .where(declared.person, '=', nameIn(declared, userId))
    .limit(batchSize)
  return declared.unless ? rows.where(declared.unless, 'is', null) : rows
}

async function* exportedRows(
  { db }: Context,
  person: Person,
  declared: PersonalTable,
  { columns, json = [] }: NonNullable<PersonalTable['exported']>,
): AsyncGenerator<Row> {
  for (let last = ''; ; ) {
    const rows = await selectRows(db, person, declared).select(columns).where('id', '>', last).orderBy('id').execute()
    for (const row of rows) {
      for (const column of json) row[column] = JSON.parse(row[column] as string)
      yield row
    }
    if (rows.length < batchSize) return
    last = rows.at(-1)?.id as string
  }
}

function eraseBatch(
  { db, now }: Context,
  person: ErasedPerson,
  declared: PersonalTable,
  erased: NonNullable<PersonalTable['erased']>,
): Promise<boolean> {
  const { table, counted } = declared
  const row = sql.ref(isPostgres(db) ? 'ctid' : 'rowid')
  return inTransaction(db, async (tx) => {
    const batch = selectRows(tx, person, declared).select(row.as('row'))
    const { length } =
      erased === 'rows'
        ? await loose(tx).deleteFrom(table).where(row, 'in', batch).returning(declared.person).execute()
        : await loose(tx)
            .updateTable(table)
            .set({
              ...Object.fromEntries((erased.emptied ?? []).map((column) => [column, null])),
              ...(erased.changedAt && { [erased.changedAt]: timestamp(now()) }),
              [declared.person]: nameIn(declared, person.marker),
            })
            .where(row, 'in', batch)
            .returning(declared.person)
            .execute()
    if (length > 0 && counted) await person.count(tx, { [counted]: length })
    return length > 0
  })
}

function removeFromLists(
  { db }: Context,
  { workspace, userId, count }: ErasedPerson,
  { table, users, counted }: ListsOfUsers,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rows = await loose(tx)
      .selectFrom(table)
      .select(['id', users])
      .where('workspace_id', '=', workspace)
      .where(containing(users, userId))
      .execute()
    let changed = 0
    for (const row of rows) {
      const list = withoutUser(JSON.parse(row[users] as string) as { users?: string[] } | null, userId)
      if (!list) continue
      await loose(tx)
        .updateTable(table)
        .set({ [users]: JSON.stringify(list) })
        .where('workspace_id', '=', workspace)
        .where('id', '=', row.id)
        .execute()
      changed++
    }
    if (changed > 0) await count(tx, { [counted]: changed })
    return changed > 0
  })
}
