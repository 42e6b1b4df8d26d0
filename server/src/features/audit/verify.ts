import type { Caller, Context } from '../../kernel/context.ts'
import { workspaceCreatedAt } from '../../kernel/store/workspaces.ts'
import { yieldEvery } from '../../kernel/yield.ts'
import { type Chain, emptyChain, findChain, maxSequence } from './chain.ts'
import type { AuditKey, SealedEntry } from './key.ts'
import { firstHash } from './migrations.ts'
import type { Verification } from './schema.ts'

const pageSize = 500
const maxProblems = 100

type Problem = Verification['problems'][number]

interface NotedHead {
  sequence: number
  hash: string
}

/** Checks every entry of the workspace against the chain. `noted` is a head that the operator has noted before. */
export async function verify(ctx: Context, who: Caller, noted: NotedHead | null): Promise<Verification> {
  await ctx.audit.chain.seal(who.workspace)
  const problems = new Problems()
  const stored = await findChain(ctx.db, who.workspace)
  const chain: Chain = stored ?? emptyChain(who.workspace)
  const isAuthentic = stored !== undefined && ctx.audit.chain.isAuthentic(stored)
  if (!isAuthentic) problems.add(stored?.sequence ?? 1, null, 'head_changed')
  const entries = await walk(ctx, chain, problems)
  const early = await idBefore(ctx, chain)
  if (early !== undefined) problems.add(chain.anchor_sequence, early, 'inserted')
  // In this order: entries may be sealed meanwhile, but never beyond the head.
  const lastSequence = await maxSequence(ctx.db, who.workspace)
  const { sequence, hash, anchor_sequence, anchor_hash } =
    (await findChain(ctx.db, who.workspace)) ?? emptyChain(who.workspace)
  if (stored && lastSequence > sequence) problems.add(sequence + 1, null, 'inserted')
  const comparison = noted && (await compare(ctx, chain, noted))
  const isValid = problems.count === 0 && comparison !== 'differs'
  // Without an authentic state nobody knows whether retention has removed the beginning.
  const hasBeginning = isAuthentic || (stored !== undefined && chain.anchor_sequence === 0)
  return {
    valid: isValid,
    since: isValid ? null : await brokenSince(ctx, chain, hasBeginning ? problems.first : 0),
    entries,
    unsealed: await countUnsealed(ctx, who.workspace),
    head: { sequence, hash },
    anchor: anchor_sequence > 0 ? { sequence: anchor_sequence, hash: anchor_hash } : null,
    noted_head: comparison,
    problem_count: problems.count,
    problems: problems.list,
  }
}

class Problems {
  readonly list: Problem[] = []
  count = 0
  /** The sequence of the first one; 0 if there is none. */
  first = 0

  add(sequence: number, id: string | null, problem: Problem['problem']): void {
    this.first = this.count === 0 ? sequence : Math.min(this.first, sequence)
    this.count++
    if (this.list.length < maxProblems) this.list.push({ sequence, id, problem })
  }
}

/** The time of the last entry before a problem, which the chain vouches for. */
async function brokenSince(
  { db }: Context,
  { workspace_id, anchor_sequence }: Chain,
  problem: number,
): Promise<string> {
  const last = await db
    .selectFrom('audit_entry')
    .select('created_at')
    .where('workspace_id', '=', workspace_id)
    .where('sequence', '>', anchor_sequence)
    .where('sequence', '<', problem)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.created_at ?? workspaceCreatedAt(db, workspace_id)
}

/** Walks the chain from its anchor to its head and returns the number of entries. */
async function walk(ctx: Context, chain: Chain, problems: Problems): Promise<number> {
  const { workspace_id } = chain
  const { key } = ctx.audit.chain
  const yieldCpu = yieldEvery(10)
  let last = chain.anchor_sequence
  /** Null if it is not known, because the entry before is missing. */
  let previous: string | null = chain.anchor_hash
  let count = 0

  /** Entries from the last one to this one are missing, unless retention has removed them meanwhile. */
  const noteGap = async (next: number): Promise<string | null> => {
    const now = await findChain(ctx.db, workspace_id)
    const anchor = now?.anchor_sequence ?? 0
    if (anchor < next - 1) problems.add(last + 1, null, 'removed')
    return now && anchor === next - 1 ? now.anchor_hash : null
  }

  for (let isLast = false; !isLast; ) {
    const page = await pageAfter(ctx, workspace_id, last, chain.sequence)
    isLast = page.length < pageSize
    for (const { hash, ...entry } of page) {
      if (entry.sequence > last + 1) previous = await noteGap(entry.sequence)
      const problem = findProblem(key, previous, entry, hash)
      if (problem) problems.add(entry.sequence, entry.id, problem)
      last = entry.sequence
      previous = hash
      count++
      await yieldCpu()
    }
  }
  if (last < chain.sequence) await noteGap(chain.sequence + 1)
  return count
}

function findProblem(
  key: AuditKey,
  previous: string | null,
  entry: SealedEntry,
  hash: string | null,
): Problem['problem'] | null {
  if (hash === key.link('cut', firstHash, entry)) return 'head_changed'
  if (previous === null) return null // the gap before it is reported
  if (hash === key.link('sealed', previous, entry)) return null
  return hash === key.link('inserted', previous, entry) ? 'inserted' : 'changed'
}

const pageAfter = ({ db }: Context, workspace: string, sequence: number, last: number) =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .$narrowType<{ sequence: number }>()
    .where('workspace_id', '=', workspace)
    .where('sequence', '>', sequence)
    .where('sequence', '<=', last)
    .orderBy('sequence')
    .limit(pageSize)
    .execute()

/** Finds an entry that was inserted before the anchor of the chain; there must be none. */
async function idBefore({ db }: Context, { workspace_id, anchor_sequence }: Chain): Promise<string | undefined> {
  const found = await db
    .selectFrom('audit_entry')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('sequence', '<=', anchor_sequence)
    .limit(1)
    .executeTakeFirst()
  return found?.id
}

async function compare(
  { db }: Context,
  { workspace_id, anchor_sequence, anchor_hash }: Chain,
  noted: NotedHead,
): Promise<NonNullable<Verification['noted_head']>> {
  if (noted.sequence < anchor_sequence) return 'removed'
  const found = await db
    .selectFrom('audit_entry')
    .select('hash')
    .where('workspace_id', '=', workspace_id)
    .where('sequence', '=', noted.sequence)
    .executeTakeFirst()
  const hash = noted.sequence === anchor_sequence ? anchor_hash : found?.hash
  return hash === noted.hash ? 'matches' : 'differs'
}

async function countUnsealed({ db }: Context, workspace: string): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entry')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspace)
    .where('sequence', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
