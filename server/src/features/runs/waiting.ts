import type { WaitingKind } from '../../kernel/agent/needs.ts'
import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { Db } from '../../kernel/store/database.ts'
import { prepared } from '../../kernel/store/statement.ts'

/**
 * A run that waits has a row with everything needed to resume it: `approval` if a person must act,
 * `caller_tools` if the caller must send results. Each call for which an account or an answer is missing has another row.
 */
type Kind = WaitingKind | 'caller_tools'

interface WaitingRow {
  id: string
  workspace_id: string
  kind: Kind
  agent_id: string
  /** The run is deleted with its conversation, if it has one. */
  conversation_id: string | null
  /** The person for whom the run is resumed. */
  user_id: string | null
  state: string
  /** When it is removed (milliseconds), null for never. */
  expires_at: number | null
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    waiting_run: WaitingRow
  }
}

/** A run that waits, with everything needed to resume it later on any node. */
export interface WaitingRun<State> extends Omit<WaitingRow, 'state'> {
  state: State
}

const insertRow = prepared((db, row: WaitingRow) => db.insertInto('waiting_run').values(row))

export const insertWaiting = <State>({ db }: Context, { state, ...row }: WaitingRun<State>): Statement =>
  insertRow(db, { ...row, state: JSON.stringify(state) })

type Which = Partial<Pick<WaitingRow, 'agent_id' | 'user_id'>> & { ids?: string[] }

/** The runs of a kind that wait, by their ids. */
export async function findWaiting<State>(
  db: Db,
  workspace: string,
  kind: Kind,
  { ids, ...equal }: Which,
): Promise<Map<string, WaitingRun<State>>> {
  if (ids?.length === 0) return new Map()
  let query = db
    .selectFrom('waiting_run')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('kind', '=', kind)
    .where((is) => is.and(equal))
  if (ids) query = query.where('id', 'in', ids)
  const rows = await query.execute()
  return new Map(rows.map(({ state, ...row }) => [row.id, { ...row, state: JSON.parse(state) as State }]))
}

export async function removeWaiting(tx: Db, workspace: string, ids: string[]): Promise<void> {
  if (ids.length > 0)
    await tx.deleteFrom('waiting_run').where('workspace_id', '=', workspace).where('id', 'in', ids).execute()
}

const foundAtOnce = 500

/** Calls of all workspaces that need an account or an answer, all of them: those that go on waiting must not hide others. */
export async function* eachNeed<State>(
  db: Db,
  { kinds, before }: { kinds: readonly Kind[]; before?: number },
): AsyncGenerator<WaitingRun<State>> {
  for (let last = ''; ; ) {
    let query = db.selectFrom('waiting_run').selectAll().where('kind', 'in', kinds).where('id', '>', last)
    if (before !== undefined) query = query.where('expires_at', '<=', before)
    const rows = await query.orderBy('id').limit(foundAtOnce).execute()
    for (const { state, ...row } of rows) yield { ...row, state: JSON.parse(state) as State }
    if (rows.length < foundAtOnce) return
    last = rows.at(-1)?.id ?? ''
  }
}

/** Removes the runs that wait in conversations that are deleted. */
export async function removeWaitingIn(tx: Db, conversations: string[]): Promise<void> {
  await tx.deleteFrom('waiting_run').where('conversation_id', 'in', conversations).execute()
}

const removedAtOnce = 500

export async function removeExpired({ db, now }: Context): Promise<void> {
  for (;;) {
    const expired = await db
      .selectFrom('waiting_run')
      .select('id')
      .where('kind', '=', 'caller_tools') // the others are resumed when they expire
      .where('expires_at', '<', now())
      .limit(removedAtOnce)
      .execute()
    if (expired.length === 0) return
    const ids = expired.map(({ id }) => id)
    await db.deleteFrom('waiting_run').where('id', 'in', ids).execute()
  }
}
