import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { dotProduct } from '@parley/embedding'
import { sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { tokensByLength } from '../../../kernel/llm/estimate-usage.ts'
import { prepared } from '../../../kernel/store/statement.ts'
import { agentTopics } from '../../agents/service.ts'
import { billStatic } from '../../indexes/embedding.ts'
import type { Bill } from '../../usage/ledger.ts'

const batchSize = 200
/** The beginning of a question is enough to tell its topic. */
const maxCharacters = 2000

interface Question {
  id: string
  workspace_id: string
  agent_id: string
  content: string
}

interface Topics {
  names: string[]
  vectors: Float32Array[]
}

const setTopic = prepared((db, { topic, ...message }: Record<'id' | 'workspace_id' | 'topic', string>) =>
  db
    .updateTable('message')
    .set({ topic })
    .where((is) => is.and({ ...message, topic: null })),
)

/**
 * Assigns questions the nearest of their agent's topics, at most `max` of them. An assigned topic stays when the agent's
 * topics change later. Returns whether questions may be left.
 */
export async function assignTopics(ctx: Context, max: number, workspace?: string): Promise<boolean> {
  const topics = await topicsByAgent(ctx, workspace)
  if (topics.size === 0) return false
  for (let left = max; left > 0; left -= batchSize) {
    const questions = await questionsWithoutTopic(ctx, [...topics.keys()], Math.min(left, batchSize))
    if (questions.length === 0) return false
    const assigned = questions.map(({ id, workspace_id, agent_id, content }) =>
      setTopic(ctx.db, { id, workspace_id, topic: nearest(ctx, topics.get(agent_id), content) }),
    )
    const bills = await billQuestions(ctx, questions)
    await ctx.commits.commit([...assigned, ...bills.flatMap(({ statements }) => statements)])
    for (const { sent } of bills) sent()
    await yieldToEventLoop()
  }
  return true
}

/** One bill for each agent, because questions of several workspaces are assigned together. */
async function billQuestions(ctx: Context, questions: Question[]): Promise<Bill[]> {
  const bills: Bill[] = []
  for (const [agentId, questionsOfAgent] of Map.groupBy(questions, ({ agent_id }) => agent_id)) {
    const who = { workspace: questionsOfAgent[0]?.workspace_id ?? '', token: 'analytics' }
    const tokens = tokensByLength(questionsOfAgent.map(({ content }) => content.slice(0, maxCharacters)))
    bills.push(await billStatic(ctx, who, { agentId }, tokens))
  }
  return bills
}

async function topicsByAgent(ctx: Context, workspace: string | undefined): Promise<Map<string, Topics>> {
  const agents = await agentTopics(ctx, workspace)
  const model = agents.size > 0 ? ctx.embedding.static() : null
  const vector = (name: string) => model?.embed(name) ?? new Float32Array()
  return new Map([...agents].map(([id, names]) => [id, { names, vectors: names.map(vector) }]))
}

const questionsWithoutTopic = (ctx: Context, agents: string[], limit: number): Promise<Question[]> =>
  ctx.db
    .selectFrom('message')
    .select(['id', 'workspace_id', 'agent_id', 'content'])
    .where('role', '=', sql.lit('user')) // a parameter would not match the partial index
    .where('topic', 'is', null)
    .where('asked_by_agent', '=', false)
    .where('agent_id', 'in', agents)
    .orderBy('agent_id') // the order of the index; without it Postgres reads the whole table
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ agent_id: string }>()
    .execute()

/** Empty if the question is similar to none of the topics. */
function nearest(ctx: Context, topics: Topics | undefined, text: string): string {
  const question = ctx.embedding.static().embed(text.slice(0, maxCharacters).toWellFormed())
  let best = ''
  let highest = 0
  for (const [at, vector] of (topics?.vectors ?? []).entries()) {
    const similarity = dotProduct(question, vector)
    if (similarity <= highest) continue
    highest = similarity
    best = topics?.names[at] ?? ''
  }
  return best
}
