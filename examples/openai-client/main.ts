import OpenAI from 'openai'
import { token, url } from '../connect.ts'

const openai = new OpenAI({ baseURL: `${url}/api/openai/v1`, apiKey: token })
const model = process.env.AGENT ?? 'Parley guide' // an agent is a model: its id, or its name

console.log('Chat completions, streamed:')
const stream = await openai.chat.completions.create({
  model,
  messages: [{ role: 'user', content: 'How do I connect a language model?' }],
  stream: true,
})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')

console.log('\n\nResponses, in one stored conversation:')
const first = await openai.responses.create({ model, input: 'How do I start Parley?' })
console.log(first.output_text)
const second = await openai.responses.create({ previous_response_id: first.id, input: 'How do I stop Parley?' })
console.log(second.output_text)
