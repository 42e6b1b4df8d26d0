import { parley } from '../connect.ts'

const topics = {
  Delivery: 'We deliver on weekdays. Delivery takes three days and costs 5 euros.',
  Refunds: 'Refunds are paid within two weeks. We pay the price, but not the delivery.',
}

/** An agent that answers from one document. */
async function expert(name: string, content: string): Promise<string> {
  const source = await parley.knowledgeSources.create({
    name,
    type: 'text',
    configuration: { documents: [{ title: name, content }] },
  })
  await parley.knowledgeSources.sync(source.id)
  const tool = await parley.ragTools.create({ name: `${name} documents`, knowledge_source_id: source.id })
  while ((await parley.ragTools.get(tool.id)).status !== 'ready') await new Promise((done) => setTimeout(done, 500))
  const agent = await parley.agents.create({
    name,
    description: `Answers questions about ${name.toLowerCase()}.`,
    system_prompt: 'Answer from the documents, briefly.',
    tools: [tool.id],
  })
  return agent.id
}

const experts = await Promise.all(Object.entries(topics).map(([name, content]) => expert(name, content)))
const researcher = await parley.agents.create({
  name: 'Researcher',
  system_prompt: 'Ask the other agents, and put together what they found.',
  tools: experts,
})

const question = process.argv[2] ?? 'How long does delivery take, and when are refunds paid?'
const { id } = await parley.conversations.create({ agent_id: researcher.id })
const reply = await parley.conversations.send(id, question)
console.log(`${reply.content}\n`)

// Each expert has answered in a conversation of its own.
for await (const child of parley.conversations.list({ parent_message_id: reply.id })) {
  const { messages } = await parley.conversations.get(child.id)
  const calls = messages.flatMap(({ tool_calls }) => tool_calls.map(({ name }) => name))
  console.log(`${child.id}: ${messages.length} messages, called ${calls.join(', ')}`)
}
