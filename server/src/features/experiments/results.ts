import type { Caller, Context } from '../../kernel/context.ts'
import { timestamp } from '../../kernel/time.ts'
import { agents } from '../agents/service.ts'
import {
  experimentConversations,
  experimentSums,
  isReplyMetric,
  type VariantValues,
} from '../conversations/statistics/experiments.ts'
import { unpricedByAgent } from '../usage/unpriced.ts'
import type { Results } from './schema.ts'
import { compare, meanInterval, minValues, type Sample } from './sequential.ts'
import { type ExperimentRow, experiments, findScoreSource, measuredVersion, variantName } from './service.ts'

/** More is better in all other metrics. */
const lessIsBetter = ['latency', 'cost']

export async function results(ctx: Context, who: Caller, id: string): Promise<Results> {
  const row = await experiments.get(ctx, who, id)
  const agent = await agents.find(ctx.db, who, row.agent_id)
  const sums = await sumsByVariant(ctx, who, row)
  const found = row.variants.map((variant, at) => ({
    variant,
    sums: sums.get(at),
    sample: toSample(row.metric, sums.get(at)),
  }))
  const control = found[0]
  const differences = found.slice(1).map(({ variant, sample }) => {
    const names = { variant: variantName(variant), against: variantName(control?.variant ?? variant) }
    return { ...names, ...difference(row.metric, sample, control?.sample, found.length - 1) }
  })
  return {
    variants: found.map(({ variant, sums, sample }) => ({
      label: variant.label ?? null,
      version: (agent && measuredVersion(row, agent, variant)) ?? null,
      weight: variant.weight,
      conversations: sums?.conversations ?? 0,
      people: sample.n,
      mean: sample.n === 0 ? null : rounded(sample.mean),
      ci95: sample.n < minValues ? null : bounded(row.metric, meanInterval(sample)),
    })),
    differences,
    unpriced_requests: await countUnpriced(ctx, who, row),
    enough_data: found.every(({ sample }) => sample.n >= minValues),
    conclusion: (await lacksScorer(ctx, who, row))
      ? `No monitor of the agent has the scorer "${row.metric}" any more, so its scores are gone.`
      : conclude(
          found.map(({ variant, sample }) => ({ name: inWords(variantName(variant)), n: sample.n })),
          differences,
        ),
  }
}

/** The calls without a price are counted by agent and day, so those before the experiment started on its first day count, too. */
async function countUnpriced(ctx: Context, { workspace }: Caller, row: ExperimentRow): Promise<number> {
  if (row.metric !== 'cost' || row.started_at === null) return 0
  const period = { from: row.started_at.slice(0, 10), to: (row.stopped_at ?? timestamp(ctx.now())).slice(0, 10) }
  const calls = { workspace, ...period, agentId: row.agent_id, withEvaluations: false }
  return (await unpricedByAgent(ctx, calls)).get(row.agent_id) ?? 0
}

const lacksScorer = async (ctx: Context, { workspace }: Caller, { agent_id, metric }: ExperimentRow) =>
  !isReplyMetric(metric) && (await findScoreSource(ctx, workspace, agent_id, metric)) === undefined

async function sumsByVariant(ctx: Context, who: Caller, row: ExperimentRow): Promise<Map<number, VariantValues>> {
  const scope = { workspace: who.workspace, experiment: row.id }
  const sums = isReplyMetric(row.metric)
    ? await experimentSums(ctx, scope, row.metric)
    : await scorerSums(ctx, who, row, await experimentConversations(ctx, scope))
  return new Map(sums.map((each) => [each.variant, each]))
}

/** A person has the mean score of their conversations. */
async function scorerSums(
  ctx: Context,
  { workspace }: Caller,
  { agent_id, metric, started_at, created_at }: ExperimentRow,
  conversations: { id: string; variant: number; person: string }[],
): Promise<VariantValues[]> {
  const source = await findScoreSource(ctx, workspace, agent_id, metric)
  const period = { from: started_at ?? created_at, to: timestamp(ctx.now()) }
  const scores = await source?.values(ctx, workspace, agent_id, metric, period)
  return [...Map.groupBy(conversations, ({ variant }) => variant)].map(([variant, own]) => {
    const people = [...Map.groupBy(own, ({ person }) => person).values()]
    const values = people.flatMap((their) => {
      const scored = their.flatMap(({ id }) => scores?.get(id) ?? [])
      return scored.length === 0 ? [] : [scored.reduce((sum, score) => sum + score, 0) / scored.length]
    })
    const sum = values.reduce((all, value) => all + value, 0)
    const squares = values.reduce((all, value) => all + value * value, 0)
    return { variant, conversations: own.length, people: values.length, sum, squares }
  })
}

function toSample(metric: string, { people: n, sum, squares }: VariantValues = none): Sample {
  const mean = n === 0 ? 0 : sum / n
  const variance = n < 2 ? 0 : Math.max(0, (squares - n * mean * mean) / (n - 1))
  return { n, mean, variance, ...(!lessIsBetter.includes(metric) && { max: 1 }) }
}

const none: VariantValues = { variant: 0, conversations: 0, people: 0, sum: 0, squares: 0 }

type Difference = Omit<Results['differences'][number], 'variant' | 'against'>

function difference(metric: string, sample: Sample, control: Sample | undefined, comparisons: number): Difference {
  const found = control && compare(sample, control, comparisons)
  if (!found) return { difference: null, ci95: null, p_value: null, significant: false, better: null }
  if (Math.min(sample.n, control.n) < minValues)
    return { difference: rounded(found.difference), ci95: null, p_value: null, significant: false, better: null }
  const significant = found.p_value < 0.05
  return {
    difference: rounded(found.difference),
    ci95: found.ci95.map(rounded),
    p_value: rounded(found.p_value),
    significant,
    better: significant ? found.difference > 0 !== lessIsBetter.includes(metric) : null,
  }
}

/** Labels begin with a letter. */
const inWords = (variant: string): string => (/^\d/.test(variant) ? `version ${variant}` : variant)

function conclude(variants: { name: string; n: number }[], differences: Results['differences']): string {
  const short = variants.filter(({ n }) => n < minValues)
  if (short.length > 0) {
    const missing = short.map(({ name, n }) => `${name} has values from ${n} of ${minValues} people`)
    return `Not enough data yet: ${missing.join(', ')}.`
  }
  const found = differences.filter(({ significant }) => significant)
  if (found.length === 0) return 'No difference found so far. A small one may still show with more data.'
  return found
    .map(
      ({ variant, against, better }) =>
        `${inWords(variant)} is ${better ? 'better' : 'worse'} than ${inWords(against)}.`,
    )
    .join(' ')
}

/** Shares and scores lie between 0 and 1, durations and costs above 0. */
function bounded(metric: string, interval: [number, number] | null): number[] | null {
  if (!interval) return null
  const [low, high] = interval
  const highest = lessIsBetter.includes(metric) ? high : Math.min(1, high)
  return [Math.max(0, low), highest].map(rounded)
}

const rounded = (value: number): number => Number(value.toPrecision(6))
