import { parley } from '../connect.ts'

// Run it in CI every hour: the first time it creates a monitor, then it reports the scores of what people were told, and
// fails while they are low.
const agentName = process.env.AGENT ?? 'Parley guide'
const [agent] = await parley.agents.list({ name: agentName }).all(1)
if (!agent) throw new Error(`There is no agent "${agentName}". Create it first, or set AGENT.`)

const name = `${agentName}: live quality`
const [monitor] = await parley.monitors.list({ agent_id: agent.id, name }).all(1)

if (monitor) process.exitCode = await report(monitor)
else {
  await parley.monitors.create({
    name,
    agent_id: agent.id,
    scorers: [
      { type: 'latency', config: { max_ms: 10_000 } },
      { type: 'regex', config: { pattern: String.raw`\[\d+\]` } }, // the reply cites a passage
      ...judge(process.env.JUDGE),
    ],
    sample_rate: 1,
    daily_budget: 0.5,
    alert: { below: 0.6, window: 20 },
  })
  console.log(`${name} was created. Talk to the agent, and run this again.`)
}

/** A judge needs a model other than the built-in one. */
function judge(model_id: string | undefined) {
  const rubric = 'Answers the question, politely and without guessing.'
  return model_id === undefined ? [] : [{ type: 'llm_judge' as const, config: { rubric, model_id } }]
}

/** Returns the exit code: 1 if the mean of a scorer is below the limit. */
async function report({ id, alerting }: { id: string; alerting: readonly string[] }): Promise<number> {
  const { replies, scorers, by_version, cost } = await parley.monitors.summary(id)
  if (replies.scored === 0) console.log('No scores yet.')
  for (const { scorer, mean, n } of scorers) console.log(`${scorer}: ${mean.toFixed(2)} over ${n} replies`)
  for (const version of by_version) {
    const means = version.scorers.map(({ scorer, mean }) => `${scorer} ${mean.toFixed(2)}`)
    console.log(`  version ${version.agent_version}: ${means.join(', ')}`)
  }
  console.log(`Judging cost $${cost.toFixed(2)} in 30 days.`)
  if (alerting.length === 0) return 0
  console.log(`Low: ${alerting.join(', ')}. Look at the replies under Quality → Reviews.`)
  return 1
}
