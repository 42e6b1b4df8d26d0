import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/store/database.ts'

const atOnce = 200
/** The subject of a question shows at its beginning. */
const longestText = 2000

interface Untold {
  id: string
  workspace_id: string
  agent_id: string
  content: string
}

interface Subjects {
  names: string[]
  vectors: Float32Array[]
}

/**
 * Notes for questions which of their agent's topics is nearest, so many at the most; answers with whether some are left.
 * What was noted stays, also when the topics change later.
 */
export async function noteTopics(ctx: Context, most: number, workspace?: string): Promise<boolean> {
  const subjects = await subjectsOf(ctx, workspace)
  if (subjects.size === 0) return false
  for (let left = most; left > 0; left -= atOnce) {
    const found = await questionsWithout(ctx, [...subjects.keys()], Math.min(left, atOnce))
    if (found.length === 0) return false
    await ctx.commits.commit(
      found.map(({ id, workspace_id, agent_id, content }) =>
        ctx.statements.update(
          'message',
          { topic: nearest(ctx, subjects.get(agent_id), content) },
          { id, workspace_id, topic: null },
        ),
      ),
    )
    await turnOfTheLoop()
  }
  return true
}

async function subjectsOf(ctx: Context, workspace: string | undefined): Promise<Map<string, Subjects>> {
  const inWorkspace = workspace === undefined ? sql`` : sql`and workspace_id = ${workspace}`
  const query = sql`select id, topics from agent where topics <> '[]' ${inWorkspace}`
  const agents = await rowsOf<{ id: string; topics: string }>(ctx.db, query.compile(ctx.db))
  const model = agents.length > 0 ? ctx.embedding.static() : null
  return new Map(
    agents.map(({ id, topics }) => {
      const names = JSON.parse(topics) as string[]
      return [id, { names, vectors: names.map((name) => model?.embed(name) ?? new Float32Array()) }]
    }),
  )
}

const questionsWithout = (ctx: Context, agents: string[], limit: number): Promise<Untold[]> =>
  rowsOf<Untold>(
    ctx.db,
    ctx.db
      .selectFrom('message')
      .select(['id', 'workspace_id', 'agent_id', 'content'])
      .where('role', '=', 'user')
      .where('topic', 'is', null)
      .where('agent_id', 'in', agents)
      .limit(limit)
      .compile(),
  )

/** Nothing (an empty text) where the question has nothing in common with any topic. */
function nearest(ctx: Context, subjects: Subjects | undefined, text: string): string {
  const question = ctx.embedding.static().embed(text.slice(0, longestText).toWellFormed())
  let best = ''
  let closest = 0
  for (const [at, vector] of (subjects?.vectors ?? []).entries()) {
    const closeness = product(question, vector)
    if (closeness <= closest) continue
    closest = closeness
    best = subjects?.names[at] ?? ''
  }
  return best
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}
