import { isBound } from '../../../kernel/access.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { seesFact } from '../../memories/access.ts'
import { readFacts } from '../../memories/recall.ts'
import type { MessageRow } from '../../runs/reply.ts'

/** Messages with the memories that were recalled and written for them, as they are now, as far as the reader sees them. */
export async function withFacts<Row extends MessageRow>(ctx: Context, who: Caller, rows: Row[]): Promise<Row[]> {
  const ids = rows.flatMap(({ memories }) => [...(memories?.recalled ?? []), ...(memories?.written ?? [])])
  if (ids.length === 0) return rows
  const existing = await readFacts(ctx, who.workspace, [...new Set(ids)])
  const known = new Map(existing.filter((fact) => seesFact(who, fact)).map((fact) => [fact.id, fact]))
  const facts = Object.fromEntries([...known.values()].map(({ id, content }) => [id, content]))
  return rows.map((row) => {
    if (!row.memories) return row
    // An older fact is what the change of this reply was taken back to.
    const written = row.memories.written.filter((id) => (known.get(id)?.updated_at ?? '') >= row.timestamp)
    return { ...row, memories: { ...row.memories, written }, facts }
  })
}

/** Whether a reader sees what was condensed of a conversation: its user, and roles that see everything. */
export const seesSummary = (who: Caller, userId: string | null): boolean =>
  !isBound(who) || (userId !== null && (who.seenAs ?? who).userId === userId)
