import { type Static, Type } from 'typebox'
import { DayParameter } from '../../kernel/dates.ts'
import { Choice, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'
import { Evaluation } from '../evaluations/schema.ts'
import { PriceWarning } from '../usage/schema.ts'

const Share = (description: string, fallback: number) =>
  Type.Number({ minimum: 0, maximum: 1, default: fallback, description })

const Alert = Type.Object(
  {
    below: Type.Number({ minimum: 0, maximum: 1, description: 'The limit of the mean score.' }),
    window: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 50,
      description: 'How many of the last scored replies the mean is taken over.',
    }),
  },
  { additionalProperties: false, title: 'MonitorAlertRule', required: ['below'] },
)

export const Monitor = Type.Object(
  {
    ...identity('mon'),
    name: Name,
    agent_id: Type.String({ minLength: 1, maxLength: 200, description: 'The agent whose replies are scored.' }),
    scorers: Type.Unsafe<Evaluation['scorers']>({
      ...Evaluation.properties.scorers,
      default: undefined,
      description: 'The scorers of evaluations, except those that compare with an expected output.',
    }),
    sample_rate: Share('The share of replies that are scored. `0` pauses the monitor.', 0.1),
    review_rate: Share('The share of the scored replies that people are asked to review, too.', 0.1),
    daily_budget: Type.Number({
      minimum: 0,
      maximum: 1e6,
      default: 1,
      description: 'The most that scoring may cost a day (UTC), in US dollars. It is never exceeded.',
    }),
    alert: Nullable({
      ...Alert,
      description: 'Publishes `monitor.alert` when the mean score of a scorer falls below a limit, once per fall.',
    }),
    alerting: ReadOnly(
      Type.Array(Type.String(), {
        description: 'The scorers whose mean is below the limit of `alert` now.',
        examples: [['llm_judge']],
      }),
    ),
    spent_today: ReadOnly(Type.Number({ description: 'US dollars.' })),
    warnings: ReadOnly(
      Type.Array(PriceWarning, {
        description: 'Judges that cannot be called: `daily_budget` cannot limit models without a price.',
        examples: [[]],
      }),
    ),
    ...timestamps,
  },
  { title: 'Monitor' },
)
export type Monitor = Static<typeof Monitor>

export const MonitorScore = Type.Object(
  {
    id: Type.String({ examples: ['msc_01k9z8q4m6e3v7t2w5x8y1a4bc'] }),
    message_id: Type.String(),
    conversation_id: Type.String(),
    agent_version: Nullable(Type.Integer()),
    label: Nullable(Type.String({ description: 'The label that chose the version of the reply.' })),
    scorer: Type.String({ examples: ['llm_judge'] }),
    score: Type.Number({ description: 'From 0 to 1.' }),
    passed: Type.Boolean({ description: 'Whether the score reaches the threshold of the scorer.' }),
    reason: Nullable(Type.String({ description: 'Null if you may not see what the reply rests on.' })),
    replied_at: { ...Timestamp, description: 'The time of the reply.' },
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'MonitorScore', examples: [{ scorer: 'llm_judge', score: 0.9, passed: true }] },
)

export const SummaryQuery = Type.Object(
  {
    start_date: DayParameter('From this day on (UTC). Left out: 30 days up to the last one.'),
    end_date: DayParameter('Up to this day, which is included (UTC). Left out: today.'),
    interval: Choice(['hour', 'day', 'week'], { default: 'day', description: 'The steps of `timeline`.' }),
  },
  { additionalProperties: false },
)
export type SummaryQuery = Static<typeof SummaryQuery>

const ScorerSummary = Type.Object(
  {
    scorer: Type.String(),
    n: Type.Integer({ description: 'How many replies it scored.' }),
    mean: Type.Number(),
    ci95: Nullable(Type.Array(Type.Number(), { description: 'The 95 % confidence interval of the mean.' })),
    passed: Type.Integer(),
    pass_rate: Type.Number(),
  },
  { title: 'ScorerSummary', examples: [{ scorer: 'llm_judge', n: 120, mean: 0.87, passed: 108, pass_rate: 0.9 }] },
)
export type ScorerSummary = Static<typeof ScorerSummary>

export const MonitorSummary = Type.Object(
  {
    period: Type.Object({
      start_date: Type.String({ format: 'date' }),
      end_date: Type.String({ format: 'date' }),
      interval: Choice(['hour', 'day', 'week']),
    }),
    replies: Type.Object(
      {
        scored: Type.Integer(),
        over_budget: Type.Integer({
          description:
            'Not or not fully scored, because the daily budget was used up, or a cost budget cannot limit the model of a judge, which has no price.',
        }),
        hidden: Type.Integer({
          description: 'Not judged, because something of the reply is hidden from the person who asked.',
        }),
        failed: Type.Integer({ description: 'A scorer failed.' }),
        pending: Type.Integer(),
      },
      { description: 'The replies in the sample.' },
    ),
    cost: Type.Number({ description: 'US dollars.' }),
    scorers: Type.Array(ScorerSummary),
    by_version: Type.Array(
      Type.Object({ agent_version: Nullable(Type.Integer()), scorers: Type.Array(ScorerSummary) }),
      { description: 'Newest version first.' },
    ),
    by_label: Type.Array(Type.Object({ label: Type.String(), scorers: Type.Array(ScorerSummary) }), {
      description: 'By the label that chose the version. Replies that no label chose are left out.',
    }),
    timeline: Type.Array(Type.Object({ start: Timestamp, scorers: Type.Array(ScorerSummary) }), {
      description: 'Every step of the period, including empty ones; weeks start on Monday.',
    }),
  },
  { title: 'MonitorSummary' },
)
export type MonitorSummary = Static<typeof MonitorSummary>

export const Agreement = Type.Object(
  {
    n: Type.Integer({
      description: 'Replies that both the judge and a person have judged, of the review sample or chosen by hand.',
    }),
    agreement: Nullable(Type.Number({ description: 'The share on which they agree.' })),
    kappa: Nullable(
      Type.Number({
        description:
          "Cohen's kappa: 1 is full agreement, 0 what chance would give. Null if it is undefined, as when all verdicts are the same.",
      }),
    ),
    ci95: Nullable(Type.Array(Type.Number(), { description: 'The 95 % Wilson confidence interval of the agreement.' })),
  },
  { title: 'MonitorAgreement', examples: [{ n: 40, agreement: 0.9, kappa: 0.76, ci95: [0.77, 0.96] }] },
)
export type Agreement = Static<typeof Agreement>
