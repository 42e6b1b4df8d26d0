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

/**
 * The value of a conversation `c` over its replies `m`, null if it has none yet. Kysely writes no decimals such as `1.0`, without
 * which a cost would be divided as an integer.
 */
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
  const byConversation = ctx.longReads
    .selectFrom('conversation as c')
    .leftJoin('message as m', (join) =>
      join
        .onRef('m.conversation_id', '=', 'c.id')
        .onRef('m.workspace_id', '=', 'c.workspace_id')
        .on('m.role', '=', 'assistant'),
    )
    .select(({ fn, cast }) => [
      'c.variant',
      fn.coalesce('c.user_id', 'c.id').as('person'),
      cast<number | null>(metricValues[metric], 'double precision').as('value'),
    ])
    .where('c.workspace_id', '=', workspace)
    .where('c.experiment_id', '=', experiment)
    .groupBy(['c.id', 'c.variant', 'c.user_id'])
  const byPerson = ctx.longReads
    .selectFrom(byConversation.as('by_conversation'))
    .select(({ fn }) => ['variant', fn.countAll().as('conversations'), fn.avg<number | null>('value').as('value')])
    .groupBy(['variant', 'person'])
  const rows = await ctx.longReads
    .selectFrom(byPerson.as('by_person'))
    .select((is) => [
      'variant',
      is.fn.sum('conversations').as('conversations'),
      is.fn.count('value').as('people'),
      is.fn.sum('value').as('sum'),
      is.fn.sum(is('value', '*', is.ref('value'))).as('squares'),
    ])
    .groupBy('variant')
    .execute()
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
  return ctx.longReads
    .selectFrom('conversation')
    .select((is) => ['id', 'variant', is.fn.coalesce('user_id', 'id').as('person')])
    .where('workspace_id', '=', workspace)
    .where('experiment_id', '=', experiment)
    .$narrowType<{ variant: number }>()
    .execute()
}
