import { sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'

export interface VariantValues {
  variant: number
  conversations: number
  /** People with a value. A person has the mean of their conversations. */
  people: number
  sum: number
  squares: number
}

/** SQL over the replies `m` of a conversation `c`: its value, null if it has none yet. */
const metricValues = {
  feedback: sql`avg(case m.rating when 'up' then 1.0 when 'down' then 0.0 end)`,
  completion: sql`max(case when m.id = c.last_message_id
    then case when c.status = 'completed' and m.status = 'completed' then 1.0 else 0.0 end end)`,
  latency: sql`avg(case when m.status = 'completed' then cast(m.latency_ms as double precision) end)`,
  cost: sql`sum(case when m.status <> 'running' then coalesce(m.cost_nano, 0) / 1000000000.0 end)`,
}
export type ReplyMetric = keyof typeof metricValues
export const isReplyMetric = (metric: string): metric is ReplyMetric => Object.hasOwn(metricValues, metric)

interface InExperiment {
  workspace: string
  experiment: string
}

/** Sums of a metric by variant. The sample is people, not conversations, because all of a person's have one variant. */
export async function experimentSums(
  ctx: Context,
  { workspace, experiment }: InExperiment,
  metric: ReplyMetric,
): Promise<VariantValues[]> {
  const { rows } = await sql<VariantValues>`
    select variant, sum(conversations) as conversations, count(value) as people,
      coalesce(sum(value), 0) as sum, coalesce(sum(value * value), 0) as squares
    from (
      select variant, person, count(*) as conversations, avg(value) as value
      from (
        select c.variant, coalesce(c.user_id, c.id) as person, cast(${metricValues[metric]} as double precision) as value
        from conversation as c
        left join message as m on m.conversation_id = c.id and m.workspace_id = c.workspace_id and m.role = 'assistant'
        where c.workspace_id = ${workspace} and c.experiment_id = ${experiment}
        group by c.id, c.variant, c.user_id
      ) as by_conversation group by variant, person
    ) as by_person group by variant`.execute(ctx.longReads)
  const number = (value: unknown) => Number(value)
  return rows.map(({ variant, conversations, people, sum, squares }) => ({
    variant: number(variant),
    conversations: number(conversations),
    people: number(people),
    sum: number(sum),
    squares: number(squares),
  }))
}

/** The conversations of an experiment, with the people that they are counted by. */
export async function experimentConversations(
  ctx: Context,
  { workspace, experiment }: InExperiment,
): Promise<{ id: string; variant: number; person: string }[]> {
  const { rows } = await sql<{ id: string; variant: number; person: string }>`
    select id, variant, coalesce(user_id, id) as person from conversation
    where workspace_id = ${workspace} and experiment_id = ${experiment}`.execute(ctx.longReads)
  return rows
}
