import { createInterface } from 'node:readline/promises'
import { parley } from '../connect.ts'
import { openapi, server } from './weather.ts'

// One tool for each operation of the OpenAPI document. Each call waits for a person.
const { created, updated } = await parley.apiTools.import({ spec: openapi, requires_approval: true })
const agent = await parley.agents.create({
  name: 'Weather',
  system_prompt: 'You tell people the weather. Look it up.',
  tools: [...created, ...updated].map(({ id }) => id),
})

const conversation = await parley.conversations.create({ agent_id: agent.id })
let reply = await parley.conversations.send(conversation.id, 'What is the weather in Bern?')

const terminal = createInterface({ input: process.stdin, output: process.stdout })
while (reply.status === 'awaiting_approval') {
  const call = reply.tool_calls?.find(({ status }) => status === 'awaiting_approval')
  if (!call) break
  const answer = await terminal.question(
    `The agent wants to call ${call.name} ${JSON.stringify(call.arguments)}. Approve? [y/n] `,
  )
  const decision = { tool_call_id: call.id, approved: answer.startsWith('y') }
  reply = await parley.conversations.approve(conversation.id, reply.id, decision)
}
terminal.close()
server.close()
console.log(reply.content)
