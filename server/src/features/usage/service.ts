import type { Caller, Context } from '../../kernel/context.ts'
import { dayRange } from '../../kernel/dates.ts'
import { invalid } from '../../kernel/errors.ts'
import { allRows } from '../../kernel/store/list.ts'
import { findUnseen } from '../../kernel/unseen.ts'
import { dollars } from './cost.ts'
import {
  type EntityType,
  entityTypes,
  type Hidden,
  readGroupsOfDays,
  readLines,
  type Selection,
  type Sums,
  type UsageLine,
} from './lines.ts'
import type { CostsQuery, UsageQuery } from './schema.ts'

// A map, because an id is any text: an object would find `toString`.
const typeByPrefix = new Map<string, EntityType>([
  ['agt', 'agent'],
  ['mdl', 'model'],
  ['cnv', 'conversation'],
  ['tok', 'token'],
  ['rag', 'tool'],
  ['ret', 'tool'],
  ['api', 'tool'],
  ['evl', 'evaluation'],
  ['mon', 'evaluation'],
])

function toSelection({ entity_type, entity_id: id, ...dates }: UsageQuery): Selection {
  const { start, end } = dayRange(dates)
  const type =
    entity_type ?? (id === undefined ? undefined : (typeByPrefix.get(id.split('_', 1)[0] as string) ?? 'user'))
  return {
    ...(type !== undefined && { type }),
    ...(id !== undefined && { id }),
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
  }
}

/** Undefined if the caller sees everything that calls are made for. */
async function hiddenFrom(ctx: Context, who: Caller): Promise<Hidden | undefined> {
  const agent = await findUnseen(ctx, who, 'agt')
  const tool = await findUnseen(ctx, who, 'rag', 'ret')
  const evaluation = await findUnseen(ctx, who, 'evl', 'mon')
  return agent.length + tool.length + evaluation.length > 0 ? { agent, tool, evaluation } : undefined
}

const tokens = (sums: Sums) => sums.input + sums.output
const metrics = (sums: Sums) => ({
  tokens: tokens(sums),
  cost: dollars(sums.cost),
  requests: sums.requests,
  unpriced_requests: sums.unpriced,
})

interface ModelName {
  id: string
  name: string
  model_id: string
}

async function modelNames({ resources, db }: Context, workspace: string): Promise<Map<string, ModelName>> {
  const models = resources.get('mdl')?.table
  const rows = (await models?.first(db, workspace, allRows({}, ['id', 'name', 'model_id']))) ?? []
  return new Map((rows as ModelName[]).map((row) => [row.id, row]))
}

const byModel = (models: UsageLine[], names: Map<string, ModelName>) =>
  Object.fromEntries(
    models.map((line) => {
      const { name = null, model_id = null } = names.get(line.id) ?? {}
      return [line.id, { name, model_id, ...metrics(line), input_tokens: line.input, output_tokens: line.output }]
    }),
  )

function byEntity(lines: UsageLine[]) {
  const totals: Record<string, Record<string, ReturnType<typeof metrics>>> = {}
  for (const type of entityTypes) totals[type] = Object.create(null) // a user id can be any text, such as __proto__
  for (const line of lines) {
    const ofType = totals[line.type]
    if (ofType) ofType[line.id] = metrics(line)
  }
  return totals
}

async function toStats(ctx: Context, who: Caller, lines: UsageLine[]) {
  const models = lines.filter(({ type }) => type === 'model')
  return {
    total_tokens: models.reduce((sum, line) => sum + tokens(line), 0),
    total_cost: dollars(models.reduce((sum, line) => sum + line.cost, 0)),
    saved_by_cache: dollars(models.reduce((sum, line) => sum + line.saved, 0)),
    unpriced_requests: models.reduce((sum, line) => sum + line.unpriced, 0),
    by_model: byModel(models, await modelNames(ctx, who.workspace)),
    by_entity: byEntity(lines),
  }
}

export const stats = async (ctx: Context, who: Caller, query: UsageQuery) =>
  toStats(ctx, who, await readLines(ctx, who, toSelection(query), await hiddenFrom(ctx, who), false))

export async function costs(ctx: Context, who: Caller, { group_by: groupBy, ...query }: CostsQuery) {
  if (groupBy && (query.entity_type ?? query.entity_id) !== undefined)
    invalid('group_by', 'cannot be combined with entity_type or entity_id')
  const hidden = await hiddenFrom(ctx, who)
  const lines = await readLines(ctx, who, toSelection(query), hidden, true)
  const { total_cost, saved_by_cache, unpriced_requests, by_model, by_entity } = await toStats(ctx, who, lines)
  const days = lines.filter(({ type }) => type === 'day')
  const groups = groupBy && (await groupsOfDays(ctx, who, groupBy, toSelection(query), hidden))
  return {
    currency: 'USD' as const,
    total_cost,
    saved_by_cache,
    unpriced_requests,
    by_model,
    by_entity,
    daily: days.map((line) => ({
      date: line.id,
      cost: dollars(line.cost),
      tokens: tokens(line),
      unpriced_requests: line.unpriced,
      ...(groups && { groups: groups.get(line.id) ?? [] }),
    })),
  }
}

async function groupsOfDays(...args: Parameters<typeof readGroupsOfDays>) {
  const groups = new Map<string, ({ id: string } & ReturnType<typeof metrics>)[]>()
  for (const { day, id, ...sums } of await readGroupsOfDays(...args)) {
    const ofDay = groups.get(day) ?? []
    ofDay.push({ id, ...metrics(sums) })
    groups.set(day, ofDay)
  }
  return groups
}
