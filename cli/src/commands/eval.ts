import { writeFile } from 'node:fs/promises'
import type { Parley, Schemas } from '../client.ts'
import { evaluationCollection, findId } from '../collections.ts'
import { command } from '../command.ts'
import { followRun, readResults } from '../evaluation/follow.ts'
import { decideGate } from '../evaluation/gate.ts'
import { failedScores, junitXml } from '../evaluation/junit.ts'
import { CliError, UsageError } from '../failures.ts'
import { numberFlag } from '../input.ts'
import { jsonOption } from '../options.ts'
import type { Printer } from '../printer.ts'
import { progressTo } from '../progress.ts'
import { listCommand } from '../resource.ts'

const maxRows = 50

const list = listCommand({
  group: 'eval',
  noun: 'evaluation',
  collections: [evaluationCollection],
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ name }) => name },
    { title: 'TYPE', value: ({ type }) => type },
    { title: 'CASES', value: ({ test_case_count }) => test_case_count, right: true },
    { title: 'CREATED', value: ({ created_at }) => created_at },
  ],
})

const run = command({
  name: 'eval run',
  summary: 'Run an evaluation, and gate a release by its result',
  args: '<evaluation>',
  details: `Follows the run and prints the results. With --gate the exit code is 1 if the evaluation does not pass: its pass rate is below
the threshold, or with --compare-to something became significantly worse. Without --gate only a run that did not end is a
failure. Ctrl-C cancels the run.`,
  connects: true,
  options: {
    gate: { type: 'boolean', description: 'Exit with 1 if the evaluation does not pass' },
    threshold: {
      type: 'string',
      value: 'rate',
      description: 'The least pass rate, from 0 to 1; default: pass_threshold of the evaluation',
    },
    'compare-to': {
      type: 'string',
      value: 'run',
      description: 'Also fail if it is significantly worse than this run; "previous" for the last completed one',
    },
    'target-version': {
      type: 'string',
      value: 'number',
      description: 'The version of the agent to evaluate; default: the newest',
    },
    junit: { type: 'string', value: 'file', description: 'Write the results as JUnit XML, for CI' },
    all: { type: 'boolean', description: `List all cases; default: above ${maxRows}, only those that did not pass` },
    json: jsonOption,
  },
  examples: [
    'parley eval run Regression --gate',
    'parley eval run Regression --gate --threshold 0.9 --junit results.xml',
    'parley eval run Regression --gate --compare-to previous --json',
  ],
  async run({ io, out, err, isJson, path, client }, [name = ''], values) {
    const { gate, threshold, junit, all, 'compare-to': compareTo } = values
    const minRate = parseRate(threshold)
    if (minRate !== null && !gate) throw new UsageError('--threshold needs --gate.')
    const connected = await client()
    const id = await findId(connected, evaluationCollection, name)
    const evaluation = await connected.evaluations.get(id)
    const target = numberFlag('target-version', values['target-version'], { min: 1 })
    const version = target === undefined ? {} : { target_version: target }
    const baseline = await findBaseline(connected, id, compareTo)
    const ended = await followRun(connected, io, await connected.evaluations.run(id, version), progressTo(err))
    const { summary, comparison, results } = await readResults(connected, ended, baseline)
    const outcome = decideGate(ended, summary, comparison, minRate)
    if (junit !== undefined) {
      await writeFile(path(junit), junitXml({ evaluation: evaluation.name, run: ended, summary, results }))
    }
    if (isJson) out.json({ run: ended, summary, comparison: comparison ?? null, gate: outcome, results })
    else {
      printResults(out, results, Boolean(all))
      printSummary(out, summary, comparison)
      if (gate)
        out.line(
          outcome.passed ? out.paint('green', 'Gate passed') : `${out.paint('red', 'Gate failed:')} ${outcome.reason}`,
        )
    }
    if (ended.status === 'cancelled') return 130
    if (ended.status === 'failed') {
      throw new CliError(`The run failed: ${ended.error ?? 'no reason was given'}`, 'Run it again: parley eval run')
    }
    return gate && !outcome.passed ? 1 : 0
  },
})

export const evaluations = [list, run]

function parseRate(text: string | undefined): number | null {
  if (text === undefined) return null
  const rate = Number(text)
  if (text.trim() !== '' && rate >= 0 && rate <= 1) return rate
  throw new UsageError(`--threshold must be from 0 to 1, such as 0.9, but is "${text}".`)
}

async function findBaseline({ evaluations }: Parley, id: string, baseline: string | undefined): Promise<string | null> {
  if (baseline === undefined) return null
  // Read first, so that a wrong id fails before the cases are paid for.
  if (baseline !== 'previous') return (await evaluations.getRun(id, baseline)).id
  const [last] = (await evaluations.runs(id, { status: 'completed', limit: 1 })).data
  return last?.id ?? null
}

function printResults(out: Printer, results: Schemas['EvaluationResult'][], isAll: boolean): void {
  const isLong = results.length > maxRows && !isAll
  const rows = isLong ? results.filter(({ passed }) => !passed) : results
  const outcome = (row: Schemas['EvaluationResult']) => (row.passed ? 'passed' : row.error ? 'error' : 'failed')
  if (rows.length > 0) {
    out.table(
      [
        { title: 'CASE', value: (row) => row.case + 1, right: true },
        { title: 'RESULT', value: outcome },
        {
          title: 'SCORES',
          value: (row) => row.scores.map(({ scorer, score }) => `${scorer} ${score ?? '-'}`).join(', '),
        },
        { title: 'MS', value: (row) => row.latency_ms, right: true },
        { title: 'INPUT', value: (row) => row.input },
        { title: 'REASON', value: (row) => (row.passed ? null : (row.error ?? failedScores(row))) },
      ],
      rows,
    )
  }
  if (isLong) out.line(`${results.length - rows.length} cases that passed are not listed; --all lists them.`)
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

function printSummary(
  out: Printer,
  summary: Schemas['EvaluationSummary'],
  comparison: Schemas['EvaluationComparison'] | undefined,
): void {
  const { passed, total, errors, pass_rate, pass_rate_ci95, latency_ms, tokens, cost } = summary
  const interval = pass_rate_ci95 ? `, 95 % interval ${pass_rate_ci95.map(percent).join(' to ')}` : ''
  out.line()
  out.line(
    `${out.paint('bold', `${passed} of ${total} passed`)} (${percent(pass_rate ?? 0)}${interval}), ${errors} errors`,
  )
  out.line(
    `Latency p50 ${latency_ms.p50 ?? '-'} ms, p95 ${latency_ms.p95 ?? '-'} ms; ${tokens} tokens, $${cost.toFixed(4)}`,
  )
  if (comparison) {
    const { before, after } = comparison.pass_rate
    const { paired } = comparison.cases
    if (paired === 0) out.line(`Not compared with ${comparison.run_id}: the runs have no cases in common`)
    else
      out.line(
        `Compared with ${comparison.run_id}: ${percent(before)} → ${percent(after)}, ${comparison.fixed} fixed, ${comparison.broken} broken${comparison.regression ? ', a significant regression' : ''}`,
      )
  }
}
