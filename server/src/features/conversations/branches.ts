import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { Db } from '../../kernel/store/database.ts'
import { statement } from '../../kernel/store/statement.ts'
import type { MessageRow } from '../runs/reply.ts'
import { type HistoryRow, historyColumns, historyRow, isRemembered, withToolCalls } from './history.ts'

/** The position of a message in the tree of its conversation. */
export type BranchNode = Pick<MessageRow, 'id' | 'parent_id' | 'role' | 'superseded'>

const idsAtOnce = 500

/** Adds to each message of a conversation the ids of its versions. */
export async function withVersions<Row extends MessageRow>(db: Db, rows: Row[]): Promise<Row[]> {
  const [first] = rows
  if (!first) return rows
  const { workspace_id, conversation_id } = first
  // Most conversations have no branches: the partial index answers this without reading any messages.
  const hidden = await db
    .selectFrom('message')
    .select(['id', 'parent_id'])
    .where('conversation_id', '=', conversation_id)
    .where((is) => is.ref('superseded'))
    .where('workspace_id', '=', workspace_id)
    .execute()
  if (hidden.length === 0) return rows
  const siblings = Map.groupBy(hidden, ({ parent_id }) => parent_id)
  const shown = rows.some(({ superseded }) => superseded) ? await branchNodes(db, workspace_id, conversation_id) : []
  return rows.map((row) => {
    const all = [row, ...(siblings.get(row.parent_id) ?? []), ...shown.filter(hasSameParent(row))]
    return { ...row, versions: [...new Set(all.map(({ id }) => id))].sort() }
  })
}

const hasSameParent =
  ({ parent_id }: Pick<BranchNode, 'parent_id'>) =>
  (other: BranchNode): boolean =>
    other.parent_id === parent_id

/** All messages of a conversation, on all branches. */
export async function branchNodes(db: Db, workspace: string, conversation: string): Promise<BranchNode[]> {
  const rows = await db
    .selectFrom('message')
    .select(['id', 'parent_id', 'role', 'superseded'])
    .where('workspace_id', '=', workspace)
    .where('conversation_id', '=', conversation)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, superseded: Boolean(row.superseded) }))
}

/** The messages from the first one up to and including this one. */
export function ancestors(all: readonly BranchNode[], id: string): BranchNode[] {
  const known = new Map(all.map((node) => [node.id, node]))
  const path: BranchNode[] = []
  for (let node = known.get(id); node; node = known.get(node.parent_id)) path.unshift(node)
  return path
}

/** The branch through a message: its ancestors, then always the newest child. */
export function branchThrough(all: readonly BranchNode[], id: string): BranchNode[] {
  const path = ancestors(all, id)
  const children = new Map(all.map((node) => [node.parent_id, node])) // nodes are sorted by id, so the newest child is kept
  for (let node = children.get(id); node; node = children.get(node.id)) path.push(node)
  return path
}

/** Makes a path the active branch. The caller makes sure that no turn runs and that none has ended since it was read. */
export function activation(
  ctx: Context,
  workspace: string,
  all: readonly BranchNode[],
  path: readonly BranchNode[],
): Statement[] {
  const wanted = new Set(path.map(({ id }) => id))
  const mark = (superseded: boolean, ids: string[]): Statement[] =>
    Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, n) => {
      const some = ids.slice(n * idsAtOnce, (n + 1) * idsAtOnce)
      const change = ctx.db.updateTable('message').set({ superseded })
      return statement(change.where('workspace_id', '=', workspace).where('id', 'in', some), some.length)
    })
  const changed = (superseded: boolean) =>
    all.filter((node) => node.superseded !== superseded && wanted.has(node.id) !== superseded).map(({ id }) => id)
  return [...mark(true, changed(true)), ...mark(false, changed(false))]
}

/** The messages of a path that are sent to the model again, oldest first; the newest ones if there are many. */
export async function readPath(
  db: Db,
  workspace: string,
  path: readonly BranchNode[],
  limit: number,
): Promise<HistoryRow[]> {
  const ids = path.slice(-limit).map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('message')
    .select(historyColumns)
    .where('workspace_id', '=', workspace)
    .where('id', 'in', ids)
    .where(isRemembered)
    .orderBy('id', 'desc')
    .execute()
  return (await withToolCalls(db, workspace, rows.map(historyRow))).reverse()
}
