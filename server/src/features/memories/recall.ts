import type { StepFacts } from '../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { tokensByLength } from '../../kernel/llm/estimate-usage.ts'
import { type RecalledFact, recalledText } from '../../kernel/llm/memory-prompt.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { inWorkspace } from '../../kernel/store/database.ts'
import { statement } from '../../kernel/store/statement.ts'
import { timestamp } from '../../kernel/time.ts'
import type { AgentRow } from '../agents/service.ts'
import { indexMemories, memoryIndex, type Owner, ownerKey } from './indexing.ts'

const maxFacts = 20
/** If the search finds fewer, the newest facts are added. */
const minFacts = 5
/** Tokens of all recalled facts together. */
const maxTokens = 1000
/** Characters of the question that are searched for. */
const maxQuery = 2000

/** The facts that were recalled for a question. */
export interface Recalled {
  facts: RecalledFact[]
  /** Sent with the question. */
  text: string
  /** Why: the scores, for the trace. */
  step: StepFacts
  /** Store when the facts were recalled. */
  statements: Statement[]
}

/** The owners whose facts an agent recalls in a conversation of this person. */
function owners({ id, memory }: Pick<AgentRow, 'id' | 'memory'>, user_id: string | null) {
  if (!memory) return []
  const ofPerson = user_id === null ? [] : [{ user_id, agent_id: id }]
  if (memory.scope === 'agent') return [...ofPerson, { user_id: null, agent_id: id }]
  return user_id === null ? [] : [...ofPerson, { user_id, agent_id: null }]
}

/** The facts nearest to a question that fit into the budget of tokens. */
export async function recall(
  ctx: Context,
  who: Pick<Caller, 'workspace'>,
  agent: Pick<AgentRow, 'id' | 'memory'>,
  { userId, question }: { userId: string | null; question: string },
): Promise<Recalled> {
  const found = await find(ctx, who.workspace, owners(agent, userId), question)
  const facts: (RecalledFact & Score)[] = []
  let tokens = 0
  for (const fact of found) {
    tokens += tokensByLength([fact.content])
    if (facts.length === maxFacts || tokens > maxTokens) break
    facts.push(fact)
  }
  return {
    facts: facts.map(({ id, content }) => ({ id, content })),
    text: recalledText(facts),
    step: { results: facts.length, memories: facts.map(({ id, ...fact }) => ({ id, ...scores(fact) })) },
    statements: facts.length === 0 ? [] : [touch(ctx, who.workspace, facts)],
  }
}

interface Score {
  score: number | null
  keyword: number | null
  vector: number | null
}

const scores = ({ score, keyword, vector }: Score): Score => ({ score, keyword, vector })

/** Hits of a search are read again: the index may still have a fact that was deleted, or an earlier text of it. */
async function find(ctx: Context, workspace: string, of: Owner[], question: string): Promise<(RecalledFact & Score)[]> {
  if (of.length === 0) return []
  const own = ctx.db
    .selectFrom('memory')
    .select(['id', 'content'])
    .where((is) =>
      is.or(
        of.map(({ user_id, agent_id }) =>
          is.and([
            is('user_id', 'is not distinct from', user_id),
            is('agent_id', 'is not distinct from', agent_id),
            // A fact about nobody reaches everybody, so that a person must have written it.
            ...(user_id === null ? [is('edited', '=', true)] : []),
          ]),
        ),
      ),
    )
  const found = await search(ctx, workspace, of, question)
  const ids = [...found.keys()]
  const known = ids.length === 0 ? [] : await own.where(inWorkspace(ctx.db, workspace)).where('id', 'in', ids).execute()
  const facts = known.map((fact) => ({ ...fact, ...(found.get(fact.id) ?? unscored) }))
  facts.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  // Short questions say little about what helps, such as "And now?", so that some of the newest facts are added.
  if (facts.length >= minFacts) return facts
  const newest = await own
    .where('workspace_id', '=', workspace)
    .where((is) => is.and(shared(of)))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(minFacts)
    .execute()
  return [...facts, ...newest.filter(({ id }) => !found.has(id)).map((fact) => ({ ...fact, ...unscored }))]
}

/** The id that all owners share, by which an index finds their facts. */
function shared(of: Owner[]): Partial<Owner> {
  const { user_id = null, agent_id = null } = of[0] ?? {}
  return user_id !== null && of.every((owner) => owner.user_id === user_id) ? { user_id } : { agent_id }
}

const unscored: Score = { score: null, keyword: null, vector: null }

/** The facts nearest to a question, the best first. None without a search index. */
async function search(ctx: Context, workspace: string, of: Owner[], question: string): Promise<Map<string, Score>> {
  if (ctx.search.problem !== null || question.trim() === '') return new Map()
  await indexMemories(ctx, { workspace })
  const hits = await ctx.search.search(memoryIndex(workspace), {
    query: question.slice(0, maxQuery),
    topK: maxFacts,
    documents: { only: of.map(ownerKey) },
  })
  return new Map(
    hits.map(({ chunk, score, parts: { keyword, vector } }) => [chunk.id, { score, keyword, vector }] as const),
  )
}

const touch = (ctx: Context, workspace: string, facts: RecalledFact[]): Statement =>
  statement(
    ctx.db
      .updateTable('memory')
      .set({ last_recalled_at: timestamp(ctx.now()) })
      .where(inWorkspace(ctx.db, workspace))
      .where(
        'id',
        'in',
        facts.map(({ id }) => id),
      ),
  )

/** Reads facts by their ids. Deleted ones are left out. */
export const readFacts = (ctx: Context, workspace: string, ids: string[]) =>
  ctx.db
    .selectFrom('memory')
    .select(['id', 'content', 'user_id', 'updated_at'])
    .where(inWorkspace(ctx.db, workspace))
    .where('id', 'in', ids)
    .execute()
