import { openAsBlob } from 'node:fs'
import { parley } from '../connect.ts'

const question = process.argv[2] ?? 'How often should I descale the machine?'

// A source holds the documents, a RAG tool searches them, and the agent uses the tool.
const source = await parley.knowledgeSources.create({ name: 'Brew One manual', type: 'file' })
const manual = await openAsBlob(new URL('manual.pdf', import.meta.url))
await parley.knowledgeSources.upload(source.id, [{ name: 'manual.pdf', content: manual }])
const tool = await parley.ragTools.create({ name: 'Brew One manual', knowledge_source_id: source.id })
while ((await parley.ragTools.get(tool.id)).status !== 'ready') await new Promise((done) => setTimeout(done, 500))
const agent = await parley.agents.create({
  name: 'Brew One support',
  system_prompt: 'You help owners of the coffee machine Brew One. Answer from the manual and cite it.',
  tools: [tool.id],
})

const conversation = await parley.conversations.create({ agent_id: agent.id })
console.log(question)
for await (const event of parley.conversations.stream(conversation.id, question)) {
  if (event.type === 'text.delta') process.stdout.write(event.delta)
  if (event.type === 'message.completed')
    for (const { index, source, page, quote } of event.message.citations ?? [])
      console.log(`\n[${index}] ${source}, page ${page}: "${quote}"`)
}
