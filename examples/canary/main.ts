import { parley } from '../connect.ts'

interface Experiment {
  id: string
  variants: readonly { version?: number | null }[]
}

// Run it in CI after each change of the agent and then every hour: the newest version answers one conversation in five until
// people like it more than the one in production, or less. Then it is promoted or taken back.
const agentName = process.env.AGENT ?? 'Parley guide'
const [agent] = await parley.agents.list({ name: agentName }).all(1)
if (!agent) throw new Error(`There is no agent "${agentName}". Create it first, or set AGENT.`)

const { id: agent_id, version } = await parley.agents.get(agent.id)
const labels = new Map((await parley.agents.labels(agent_id).all()).map((label) => [label.label, label.version]))
const prefix = `${agentName}: canary, version `
const name = `${prefix}${version}`
const [running] = await parley.experiments.list({ agent_id, status: 'running' }).all(1)
const [known] = await parley.experiments.list({ agent_id, name }).all(1)

const inProduction = labels.get('production')
if (inProduction === undefined) {
  await parley.agents.setLabel(agent_id, 'production', { version })
  console.log(`Version ${version} is in production. Change the agent and run this again.`)
} else if (running?.name.startsWith(prefix)) process.exitCode = await decide(running)
else if (running) console.log(`Another experiment runs with this agent: ${running.name}`)
else if (inProduction === version) console.log(`Version ${version} is in production already.`)
else if (known?.status === 'stopped') console.log(`Version ${version} was tried already: ${name}`)
else {
  const variants = [
    { version: inProduction, weight: 4 },
    { version, weight: 1 },
  ]
  const { id } = known ?? (await parley.experiments.create({ name, agent_id, variants, metric: 'feedback' }))
  await parley.experiments.start(id)
  console.log(`Version ${version} answers one conversation in five.`)
}

/** The agent may have changed since: the version that was started is decided on first. Returns 1 if it is taken back. */
async function decide({ id, variants }: Experiment): Promise<number> {
  const { conclusion, differences } = await parley.experiments.results(id)
  console.log(conclusion)
  const isBetter = differences[0]?.better ?? null
  const tried = variants[1]?.version ?? version
  if (isBetter === true) {
    await parley.experiments.promote(id, { variant: tried })
    console.log(`Promoted version ${tried}.`)
  } else if (isBetter === false) {
    await parley.experiments.stop(id)
    console.log(`Took version ${tried} back.`)
  }
  return isBetter === false ? 1 : 0
}
