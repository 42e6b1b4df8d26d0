import { type Static, Type } from 'typebox'
import { Choice, Description, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'
import { PageQuery } from '../../kernel/store/list.ts'

export const maxCases = 10_000
export const maxTextLength = 100_000

const scorerTypes = [
  'exact_match',
  'contains',
  'regex',
  'json_match',
  'json_schema',
  'similarity',
  'llm_judge',
  'tool_called',
  'retrieval_hit',
  'latency',
  'cost',
] as const
export type ScorerType = (typeof scorerTypes)[number]

const evaluationTypes = ['agent', 'rag_tool', 'retrieval_tool', 'model'] as const
export type EvaluationType = (typeof evaluationTypes)[number]

/** Fields in an object that the caller defines. */
export const maxLabels = 200

const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    maxProperties: maxLabels,
    description,
  })

const CaseInput = Type.String({ minLength: 1, maxLength: maxTextLength, description: 'The input of the target.' })
export const ExpectedOutput = Nullable(
  Type.String({ maxLength: maxTextLength, description: 'Most scorers compare the answer with it.' }),
)
export const CaseMetadata = Nullable(anyObject('Your own data.'))

export const TestCase = Type.Object(
  { input: CaseInput, expected_output: Type.Optional(ExpectedOutput), metadata: Type.Optional(CaseMetadata) },
  { additionalProperties: false, title: 'TestCase' },
)
export type TestCase = Static<typeof TestCase>

const Scorer = Type.Object(
  {
    type: Choice(scorerTypes, { description: 'How replies are scored.' }),
    threshold: Type.Optional(
      Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'The minimum score to pass.' })),
    ),
    config: Type.Optional(anyObject('The settings of this type of scorer.')),
  },
  { additionalProperties: false, title: 'Scorer' },
)
export type Scorer = Static<typeof Scorer>

const Scorers = Type.Array(Scorer, {
  minItems: 1,
  maxItems: 20,
  default: [{ type: 'similarity' }],
  description: 'A case passes if it passes all of them.',
})
const Concurrency = Type.Integer({
  minimum: 1,
  maximum: 64,
  default: 4,
  description: 'How many cases run in parallel.',
})
const PassThreshold = Type.Number({
  minimum: 0,
  maximum: 1,
  default: 1,
  description: 'The minimum pass rate for the verdict `passed`.',
})

export const Evaluation = Type.Object(
  {
    ...identity('evl'),
    name: Name,
    description: Description,
    type: Choice(evaluationTypes, { description: 'The type of the target.' }),
    target_id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the target.' }),
    test_cases: Type.Array(TestCase, {
      minItems: 1,
      maxItems: maxCases,
      description: 'The inputs, with what is expected.',
    }),
    test_case_count: ReadOnly(Type.Integer()),
    scorers: Scorers,
    concurrency: Concurrency,
    pass_threshold: PassThreshold,
    ...timestamps,
  },
  { title: 'Evaluation' },
)
export type Evaluation = Static<typeof Evaluation>

export const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
const numbersByName = (description: string) =>
  Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'number' }, description })

const verdicts = ['passed', 'failed'] as const

export const Summary = Type.Object(
  {
    total: count('Cases with a result.'),
    passed: count(),
    failed: count(),
    errors: count('Cases that could not be run or scored. They count as not passed.'),
    pass_rate: Nullable(Type.Number()),
    pass_rate_ci95: Nullable(
      Type.Array(Type.Number(), { description: 'The 95 % Wilson confidence interval of the pass rate.' }),
    ),
    mean_scores: numbersByName('By scorer.'),
    latency_ms: Type.Object({ p50: Nullable(Type.Integer()), p95: Nullable(Type.Integer()) }),
    tokens: count('Used by the target.'),
    cost: Type.Number({ description: 'Cost of the target in US dollars.' }),
    unpriced_requests: count(
      'Calls of the target and of judges whose price was not known. They add nothing to the costs.',
    ),
    judge_tokens: count('Used by judges.'),
    judge_cost: Type.Number({ description: 'Cost of judges in US dollars.' }),
    verdict: Nullable(Choice(verdicts, { description: 'Null while the run is active.' })),
  },
  {
    title: 'EvaluationSummary',
    examples: [
      {
        total: 20,
        passed: 18,
        failed: 2,
        errors: 0,
        pass_rate: 0.9,
        pass_rate_ci95: [0.699, 0.972],
        mean_scores: { similarity: 0.91 },
        latency_ms: { p50: 812, p95: 1960 },
        tokens: 16240,
        cost: 0.0487,
        unpriced_requests: 0,
        judge_tokens: 0,
        judge_cost: 0,
        verdict: 'failed',
      },
    ],
  },
)
export type Summary = Static<typeof Summary>

const runStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof runStatuses)[number]

const RunInList = Type.Object(
  {
    id: Type.String({ examples: ['run_01k9z8q4m6e3v7t2w5x8y1a4bc'] }),
    status: Choice(runStatuses),
    pass_rate: Nullable(Type.Number()),
    verdict: Nullable(Choice(verdicts)),
    created_at: Timestamp,
  },
  { title: 'EvaluationRunInList', examples: [{ status: 'completed', pass_rate: 0.9, verdict: 'failed' }] },
)
export type RunInList = Static<typeof RunInList>

const { test_cases: _cases, ...listed } = Evaluation.properties
export const EvaluationListItem = Type.Object(
  {
    ...listed,
    recent_runs: ReadOnly(Type.Array(RunInList, { description: 'The 10 newest runs, newest first.' })),
  },
  { title: 'EvaluationListItem' },
)

export const Run = Type.Object(
  {
    id: Type.String({ examples: ['run_01k9z8q4m6e3v7t2w5x8y1a4bc'] }),
    evaluation_id: Type.String(),
    status: Choice(runStatuses),
    progress: Type.Object({ done: count(), total: count() }),
    type: Choice(evaluationTypes),
    target_id: Type.String(),
    target_name: Nullable(Type.String({ description: 'The name of the target when the run started.' })),
    target_version: Nullable(Type.Integer({ description: 'The version of the target that this run uses.' })),
    model_id: Nullable(Type.String({ description: 'The language model that the target uses in this run.' })),
    evaluation_version: count('The revision of the evaluation whose cases and scorers this run uses.'),
    scorers: Type.Array(Scorer),
    concurrency: count(),
    pass_threshold: Type.Number(),
    summary: Nullable(Summary),
    error: Nullable(Type.String({ description: 'Why the run itself failed.' })),
    started_by: Type.String({ description: 'The token that started it.' }),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
    finished_at: Nullable(Timestamp),
    updated_at: Timestamp,
  },
  {
    title: 'EvaluationRun',
    examples: [
      {
        status: 'running',
        progress: { done: 12, total: 20 },
        target_name: 'Support',
        target_version: 3,
        model_id: 'mdl_01k9z8q4m6e3v7t2w5x8y1a4bc',
        scorers: [{ type: 'similarity' }],
        concurrency: 4,
        started_by: 'tok_01k9z8q4m6e3v7t2w5x8y1a4bc',
        started_at: '2026-01-31T12:00:00Z',
      },
    ],
  },
)
export type Run = Static<typeof Run>

const Score = Type.Object(
  { scorer: Type.String(), score: Type.Number(), passed: Type.Boolean(), reason: Type.Optional(Type.String()) },
  { title: 'Score', examples: [{ scorer: 'similarity', score: 0.93 }] },
)
export type Score = Static<typeof Score>

export const Result = Type.Object(
  {
    case: count('The index of the case in `test_cases`.'),
    input: Type.String(),
    expected_output: Nullable(Type.String()),
    metadata: anyObject('As in the test case.'),
    actual_output: Nullable(Type.String({ description: 'At most 100,000 characters.' })),
    passed: Type.Boolean(),
    scores: Type.Array(Score),
    error: Type.Optional(Type.String()),
    latency_ms: Nullable(Type.Integer()),
    tokens: count(),
    cost: Type.Number({ description: 'US dollars.' }),
    unpriced_requests: count('Calls whose price was not known. They add nothing to the cost.'),
    conversation_id: Type.Optional(Type.String()),
  },
  {
    title: 'EvaluationResult',
    examples: [
      {
        case: 0,
        expected_output: 'Three to five working days.',
        actual_output: 'Delivery takes three to five working days.',
        latency_ms: 812,
        tokens: 876,
        cost: 0.00247,
        unpriced_requests: 0,
      },
    ],
  },
)
export type Result = Static<typeof Result>

const Difference = {
  before: Type.Number(),
  after: Type.Number(),
  change: Type.Number(),
  p_value: Type.Number(),
  significant: Type.Boolean(),
}

export const Comparison = Type.Object(
  {
    run_id: Type.String({ description: 'The run compared with.' }),
    cases: Type.Object({ paired: count(), only_in_run: count(), only_in_baseline: count() }),
    pass_rate: Type.Object(Difference, {
      description: "The difference over the paired cases, by McNemar's exact test.",
    }),
    fixed: count('Cases that failed before and pass now.'),
    broken: count('Cases that passed before and do not pass now.'),
    scores: Type.Unsafe<Record<string, Static<Type.TObject<typeof Difference>>>>({
      type: 'object',
      additionalProperties: Type.Object(Difference),
      description: "By scorer, by Wilcoxon's signed-rank test with Holm's correction for the number of scorers.",
    }),
    regression: Type.Boolean({ description: 'Whether something became significantly worse.' }),
    verdict: Choice(verdicts),
    changed: Type.Array(
      Type.Object({
        case: count(),
        baseline_case: count(),
        input: Type.String(),
        change: Choice(['fixed', 'broken']),
      }),
      { description: 'The first 1,000 changed cases.' },
    ),
  },
  { title: 'EvaluationComparison' },
)
export type Comparison = Static<typeof Comparison>

export const Results = Type.Object(
  { run: Run, summary: Summary, results: Type.Array(Result), comparison: Type.Optional(Comparison) },
  { title: 'EvaluationResults' },
)

export const RunQuery = Type.Object(
  {
    target_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'The version of the agent to evaluate. Left out: the newest, which may not be the one that answers.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const ByRun = Type.Object({ id: Type.String(), run: Type.String() })

export const ResultsQuery = Type.Object(
  {
    ...PageQuery.properties,
    run_id: Type.Optional(Type.String({ maxLength: 200, description: 'Default: the newest run.' })),
    compare_to: Type.Optional(Type.String({ maxLength: 200, description: 'An earlier run of the same evaluation.' })),
    outcome: Type.Optional(Choice(['passed', 'failed', 'error'], { description: 'Only cases with this outcome.' })),
    format: Type.Optional(
      Choice(['json', 'csv', 'jsonl'], { description: '`csv` and `jsonl` are files with all results.' }),
    ),
  },
  { additionalProperties: false },
)
export type ResultsQuery = Static<typeof ResultsQuery>
