import type { Schemas } from '../client.ts'

type Result = Schemas['EvaluationResult']

interface Suite {
  evaluation: string
  run: Schemas['EvaluationRun']
  summary: Schemas['EvaluationSummary']
  results: Result[]
}

// XML 1.0 has no characters for these, not even escaped.
const notXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
}

const escaped = (text: string): string =>
  text.replace(notXml, '\u{fffd}').replace(/[&<>"\n\t\r]/g, (character) => entities[character] ?? '')

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')

const seconds = (milliseconds: number | null): string => ((milliseconds ?? 0) / 1000).toFixed(3)

/** The results of a run in the format of JUnit, which CI systems show. */
export function junitXml({ evaluation, run, summary, results }: Suite): string {
  const time = results.reduce((sum, { latency_ms }) => sum + (latency_ms ?? 0), 0)
  const counts = { tests: summary.total, failures: summary.failed, errors: summary.errors }
  const started = run.started_at ?? run.created_at
  const suite = {
    name: evaluation,
    ...counts,
    skipped: 0,
    time: seconds(time),
    timestamp: started.replace('Z', ''),
    hostname: 'parley',
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: evaluation, ...counts, time: seconds(time) })}>`,
    `  <testsuite${attributes(suite)}>`,
    '    <properties>',
    ...Object.entries(toProperties(run, summary)).map(
      ([name, value]) => `      <property${attributes({ name, value })}/>`,
    ),
    '    </properties>',
    ...results.map((result) => testCase(evaluation, result)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const toProperties = (run: Suite['run'], { pass_rate, verdict, cost }: Suite['summary']) => ({
  run_id: run.id,
  target: run.target_id,
  target_version: run.target_version ?? '',
  pass_rate: pass_rate ?? '',
  cost,
  verdict: verdict ?? '',
})

function testCase(evaluation: string, result: Result): string {
  const { case: index, input, latency_ms, passed, error } = result
  const name = `${index + 1}. ${input.length > 120 ? `${input.slice(0, 119)}…` : input}`
  const start = `    <testcase${attributes({ classname: evaluation, name, time: seconds(latency_ms) })}`
  if (passed) return `${start}/>`
  const [tag, message] = error === undefined ? ['failure', failedScores(result)] : ['error', error]
  const text = [
    `Input: ${input}`,
    `Expected: ${result.expected_output ?? '-'}`,
    `Actual: ${result.actual_output ?? '-'}`,
  ]
  const type = error === undefined ? 'AssertionError' : 'Error'
  return `${start}><${tag}${attributes({ message, type })}>${escaped(text.join('\n'))}</${tag}></testcase>`
}

/** The scores that a case did not pass with. */
export const failedScores = ({ scores }: Pick<Result, 'scores'>): string =>
  scores
    .filter(({ passed }) => !passed)
    .map(({ scorer, score, reason }) => `${scorer} ${score ?? '-'}${reason ? ` (${reason})` : ''}`)
    .join(', ') || 'not passed'
