import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import type { IdPrefix } from '../../kernel/ids.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { models } from '../models/service.ts'
import {
  allCases,
  type CaseSet,
  copyCases,
  deleteCases,
  digestCases,
  emptyDigest,
  insertCases,
  isUsed,
} from './cases/store.ts'
import { addBasis, hiddenEvaluations } from './rests-on.ts'
import { recentRuns } from './runs/recent.ts'
import { activeRun } from './runs/store.ts'
import { Evaluation, type EvaluationType, maxCases, type TestCase } from './schema.ts'
import { checkSchemas } from './scorers/json-schema.ts'
import { rejectBadPattern } from './scorers/regex.ts'
import { settleScorers } from './scorers/scorers.ts'

interface Hidden extends Record<string, unknown> {
  cases_version: number
  cases_digest: string
  /** The ids that its cases and results rest on, as JSON. */
  rests_on: string
}
type Whole = Stored<Evaluation & Hidden>
/** Without test cases, which are rows of their own. */
export type EvaluationRow = Omit<Evaluation, 'test_cases'> & {
  revision: number
  cases_version: number
  cases_digest: string
  rests_on: string
}

const targetKinds: Record<EvaluationType, { prefix: IdPrefix; noun: string }> = {
  agent: { prefix: 'agt', noun: 'agent' },
  rag_tool: { prefix: 'rag', noun: 'RAG tool' },
  retrieval_tool: { prefix: 'ret', noun: 'retrieval tool' },
  model: { prefix: 'mdl', noun: 'model' },
}

const rows = collection<typeof Evaluation, Hidden>({
  name: 'evaluation',
  shape: Evaluation,
  prefix: 'evl',
  kind: 'evaluation',
  computed: ['test_cases'],
  hides: hiddenEvaluations,
  async complete(change) {
    change.next.rests_on ??= '[]'
    await checkTarget(change)
    await checkScorers(change)
    summarizeCases(change)
  },
  references: ({ target_id, scorers }) => [
    { field: 'target_id', target: target_id },
    ...scorers.flatMap(({ type, config }, index) =>
      type === 'llm_judge' && typeof config?.model_id === 'string'
        ? [{ field: `scorers[${index}].config.model_id`, target: config.model_id }]
        : [],
    ),
  ],
})

async function checkTarget({ tx, who, next, previous }: Change<Whole>): Promise<void> {
  const { prefix, noun } = targetKinds[next.type]
  if (!next.target_id.startsWith(`${prefix}_`)) unknownReference('target_id', noun, next.target_id)
  if (next.type !== 'model' || next.target_id === previous?.target_id) return
  const model = await models.find(tx, who, next.target_id)
  if (model && model.type !== 'chat') invalid('target_id', `is a model of type ${model.type}; use a chat model`)
}

async function checkScorers({ tx, who, next, input, previous }: Change<Whole>): Promise<void> {
  if (previous && input.scorers === undefined && input.type === undefined && input.test_cases === undefined) return
  next.scorers = await settleScorers(next.scorers, next.type, { db: tx, who })
  const cases = input.test_cases ?? (previous ? await allCases(tx, caseSet(who, previous)) : [])
  rejectBadPatterns(next, cases)
}

/** If a regex scorer has no pattern, the expected output of every case must be a valid one. */
function rejectBadPatterns({ scorers }: Pick<Whole, 'scorers'>, cases: TestCase[], field = 'test_cases'): void {
  const byCase = scorers.find(({ type, config }) => type === 'regex' && config?.pattern === undefined)
  if (!byCase) return
  for (const [index, { expected_output }] of cases.entries()) {
    if (expected_output) {
      rejectBadPattern(`${field}[${index}].expected_output`, expected_output, String(byCase.config?.flags ?? ''))
    }
  }
}

/** Stores count and digest of the cases. The cases are rows of their own. */
function summarizeCases({ next, input, previous }: Change<Whole>): void {
  if (input.test_cases === undefined) return
  next.test_case_count = input.test_cases.length
  next.cases_digest = digestCases(input.test_cases)
  const isSame = next.cases_digest === previous?.cases_digest
  next.cases_version = (previous?.cases_version ?? 0) + (isSame ? 0 : 1)
  delete (next as Partial<Whole>).test_cases
}

export const caseSet = (who: Pick<Caller, 'workspace'>, row: { id: string; cases_version: number }): CaseSet => ({
  workspace: who.workspace,
  evaluation: row.id,
  version: row.cases_version,
})

async function withCases(db: Db, who: Caller, row: EvaluationRow): Promise<Whole> {
  const cases = await allCases(db, caseSet(who, row))
  return { ...row, test_cases: cases.map(({ position, ...each }) => each) } as Whole
}

async function deleteUnlessUsed(tx: Db, set: CaseSet): Promise<void> {
  if (!(await isUsed(tx, set))) await deleteCases(tx, set)
}

/** Reads again if the cases were replaced between the two reads. */
async function get(ctx: Context, who: Caller, id: string): Promise<Whole> {
  const whole = await withCases(ctx.db, who, await rows.get(ctx, who, id))
  return whole.test_cases.length === whole.test_case_count ? whole : get(ctx, who, id)
}

async function list(ctx: Context, who: Caller, query: ListQuery) {
  const fields = query.fields?.filter((field) => field !== 'recent_runs')
  const page = await rows.list(ctx, who, { ...query, fields })
  const runs = await recentRuns(
    ctx.db,
    who.workspace,
    page.rows.map(({ id }) => id),
  )
  return { ...page, rows: page.rows.map((row) => ({ ...row, recent_runs: runs.get(row.id) ?? [] })) }
}

async function create(ctx: Context, who: Caller, input: object): Promise<Whole> {
  await checkSchemas(ctx, who, (input as Partial<Evaluation>).scorers)
  return inTransaction(ctx.db, async (tx) => {
    const row = await rows.create(ctx, who, input, tx)
    await insertCases(tx, caseSet(who, row), (input as Evaluation).test_cases)
    return withCases(tx, who, row)
  })
}

async function update(ctx: Context, who: Caller, id: string, input: object, ifMatch?: string): Promise<Whole> {
  const { test_cases: cases, scorers } = input as Partial<Evaluation>
  await checkSchemas(ctx, who, scorers)
  return inTransaction(ctx.db, async (tx) => {
    const previous = await rows.table.lock(tx, who.workspace, id)
    const row = await rows.update(ctx, who, id, input, ifMatch, tx)
    if (cases && previous && previous.cases_version !== row.cases_version) {
      await insertCases(tx, caseSet(who, row), cases)
      await deleteUnlessUsed(tx, caseSet(who, previous))
    }
    return withCases(tx, who, row)
  })
}

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  const running = await activeRun(ctx.db, who.workspace, id)
  await rows.remove(ctx, who, id, ifMatch)
  if (running?.job_id) await ctx.jobs.cancel(who.workspace, running.job_id)
}

export const evaluations = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  first: rows.first,
  list,
  get,
  create,
  update,
  remove,
  count: rows.count,
  unseen: rows.unseen,
}

/** The evaluation without its cases. */
export const findEvaluation = (ctx: Context, who: Caller, id: string): Promise<EvaluationRow> => rows.get(ctx, who, id)

/** The evaluation, locked until the transaction ends. */
export const lockEvaluation = async (tx: Db, who: Caller, id: string): Promise<EvaluationRow> =>
  (await lockIfThere(tx, who, id)) ?? notFound(rows.kind, id)

/** The same, undefined if it was deleted. */
export const lockIfThere = (
  tx: Db,
  { workspace }: Pick<Caller, 'workspace'>,
  id: string,
): Promise<EvaluationRow | undefined> => rows.table.lock(tx, workspace, id)

/** Appends cases, or replaces the existing ones. `basis`: the ids that they rest on. */
export const addCases = (
  ctx: Context,
  who: Caller,
  id: string,
  cases: TestCase[],
  mode: 'append' | 'replace',
  { db = ctx.db, basis = [] }: { db?: Db; basis?: readonly string[] } = {},
): Promise<EvaluationRow> =>
  inTransaction(db, async (tx) => {
    const row = await lockEvaluation(tx, who, id)
    const kept = mode === 'append' ? row.test_case_count : 0
    if (kept + cases.length > maxCases) {
      invalid('content', `would result in ${kept + cases.length} test cases; the maximum is ${maxCases}`)
    }
    rejectBadPatterns(row, cases, 'content')
    const old = caseSet(who, row)
    const isAppended = kept > 0 && !(await isUsed(tx, old))
    const version = isAppended ? old.version : old.version + 1
    if (kept > 0 && !isAppended) await copyCases(tx, old, version)
    await insertCases(tx, { ...old, version }, cases, kept)
    if (!isAppended) await deleteUnlessUsed(tx, old)
    const changes = {
      test_case_count: kept + cases.length,
      cases_digest: digestCases(cases, kept > 0 ? row.cases_digest : emptyDigest),
      cases_version: version,
    }
    await addBasis(tx, who, row, basis)
    return rows.update(ctx, who, id, changes, undefined, tx)
  })

/** Replaces the case that `matches`, unless it is the same already. Returns its position, undefined if there is none. */
export const replaceCase = (
  ctx: Context,
  who: Caller,
  id: string,
  matches: (each: TestCase) => boolean,
  next: TestCase,
  { db = ctx.db, basis = [] }: { db?: Db; basis?: readonly string[] } = {},
): Promise<number | undefined> =>
  inTransaction(db, async (tx) => {
    const row = await lockEvaluation(tx, who, id)
    const old = caseSet(who, row)
    const cases: TestCase[] = (await allCases(tx, old)).map(({ position: _, ...each }) => each)
    const at = cases.findIndex(matches)
    if (at < 0) return undefined
    const changed = cases.with(at, next)
    const cases_digest = digestCases(changed)
    if (cases_digest === row.cases_digest) return at
    rejectBadPatterns(row, [next], 'content')
    const cases_version = old.version + 1
    await insertCases(tx, { ...old, version: cases_version }, changed)
    await deleteUnlessUsed(tx, old)
    await addBasis(tx, who, row, basis)
    await rows.update(ctx, who, id, { cases_digest, cases_version }, undefined, tx)
    return at
  })
