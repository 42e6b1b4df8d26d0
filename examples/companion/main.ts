import { parley } from '../connect.ts'

const userId = process.argv[2] ?? 'ada'

const agent = await parley.agents.create({
  name: 'Companion',
  system_prompt: 'Be brief, and use what you remember of the user.',
  memory: { scope: 'user', write: 'tool' },
  context: { strategy: 'summarize' },
})

/** Each message is said in a conversation of its own. */
async function say(message: string) {
  const { id } = await parley.conversations.create({ agent_id: agent.id, user_id: userId })
  const { content, memories } = await parley.conversations.send(id, message)
  console.log(`> ${message}\n${content}`)
  for (const fact of memories.written) console.log(`  remembered: ${fact.content}`)
  for (const fact of memories.recalled) console.log(`  recalled: ${fact.content}`)
}

await say('My favourite colour is green.')
await say('What is my favourite colour?')

for (const memory of await parley.memories.list({ user_id: userId }).all(100))
  console.log(`${memory.id}: ${memory.content} (from ${memory.source?.message_id ?? 'a person'})`)
await parley.memories.deleteAll({ user_id: userId })
await say('What is my favourite colour?')
