import { parley } from '../connect.ts'

// Creates the evaluation that nightly.yml runs, once.
const agentName = process.env.AGENT ?? 'Brew One support' // the agent of ../support-bot
const name = `${agentName}, nightly`

const [existing] = await parley.evaluations.list({ name }).all(1)
if (!existing) {
  const [agent] = await parley.agents.list({ name: agentName }).all(1)
  if (!agent) throw new Error(`There is no agent "${agentName}". Run the support bot first, or set AGENT.`)
  await parley.evaluations.create({
    name,
    type: 'agent',
    target_id: agent.id,
    test_cases: [
      { input: 'How often should I descale the machine?', expected_output: 'every three months' },
      { input: 'How long does the warranty last?', expected_output: '24 months' },
      { input: 'How much ground coffee do I need for one litre of water?', expected_output: '60 grams' },
    ],
    scorers: [{ type: 'contains' }], // the answer contains the expected output
    pass_threshold: 0.95,
  })
}
console.log(`Run it: npx parley eval run "${name}" --gate`)
