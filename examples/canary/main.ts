import { parley } from '../connect.ts'

// Run it in CI after each change of the agent and then every hour: the newest version answers one conversation in five until
// people like it more than the one in production, or less. Then it is promoted or taken back.
const agentName = process.env.AGENT ?? 'Parley guide'
const [agent] = await parley.agents.list({ name: agentName }).all(1)
if (!agent) throw new Error(`There is no agent "${agentName}". Create it first, or set AGENT.`)

const { id: agent_id, version } = await parley.agents.get(agent.id)
const labels = new Map((await parley.agents.labels(agent_id).all()).map((label) => [label.label, label.version]))
const name = `${agentName}: canary, version ${version}`
const [known] = await parley.experiments.list({ agent_id, name }).all(1)

if (!labels.has('production')) {
  await parley.agents.setLabel(agent_id, 'production', { version })
  console.log(`Version ${version} is in production. Change the agent and run this again.`)
} else if (known?.status === 'running') process.exitCode = await decide(known.id)
else if (known) console.log(`Version ${version} was tried already: ${name}`)
else if (labels.get('production') === version) console.log(`Version ${version} is in production already.`)
else {
  await parley.agents.setLabel(agent_id, 'canary', { version })
  const variants = [
    { label: 'production', weight: 4 },
    { label: 'canary', weight: 1 },
  ]
  const { id } = await parley.experiments.create({ name, agent_id, variants, metric: 'feedback' })
  await parley.experiments.start(id)
  console.log(`Version ${version} answers one conversation in five.`)
}

/** Returns the exit code: 1 if the canary is taken back. */
async function decide(id: string): Promise<number> {
  const { conclusion, differences } = await parley.experiments.results(id)
  console.log(conclusion)
  const isBetter = differences[0]?.better ?? null
  if (isBetter === true) {
    await parley.experiments.promote(id, { variant: 'canary' })
    console.log(`Promoted version ${version}.`)
  } else if (isBetter === false) {
    await parley.experiments.stop(id)
    await parley.agents.deleteLabel(agent_id, 'canary')
    console.log(`Took version ${version} back.`)
  }
  return isBetter === false ? 1 : 0
}
