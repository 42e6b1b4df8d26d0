import { parley } from '../connect.ts'

const agentName = process.env.AGENT ?? 'Brew One support' // the agent of ../support-bot
const name = `${agentName}, nightly`
const test_cases = [
  { input: 'How often should I descale the machine?', expected_output: 'every three months' },
  { input: 'How long does the warranty last?', expected_output: '24 months' },
  { input: 'How much ground coffee do I need for one litre of water?', expected_output: '60 grams' },
]

/** Created the first time and run again and again, so that runs can be compared. */
async function findEvaluation() {
  const [evaluation] = await parley.evaluations.list({ name }).all(1)
  if (evaluation) return evaluation
  const [agent] = await parley.agents.list({ name: agentName }).all(1)
  if (!agent) throw new Error(`There is no agent "${agentName}". Run the support bot first, or set AGENT.`)
  const scorers = [{ type: 'contains' as const }]
  return parley.evaluations.create({ name, type: 'agent', target_id: agent.id, test_cases, scorers })
}

const { id } = await findEvaluation()
let run = await parley.evaluations.run(id)
while (run.status === 'queued' || run.status === 'running') {
  await new Promise((done) => setTimeout(done, 500))
  run = await parley.evaluations.getRun(id, run.id)
}
const { summary, results } = await parley.evaluations.results(id, { run_id: run.id })
for (const { passed, input, actual_output } of results)
  console.log(`${passed ? 'passed' : 'FAILED'}  ${input}\n        ${actual_output}`)
console.log(`${summary.passed} of ${summary.total} passed, verdict: ${summary.verdict}`)
process.exitCode = summary.verdict === 'passed' ? 0 : 1
