import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { token, url } from '../connect.ts'

const client = new Client({ name: 'example', version: '1.0.0' })
const requestInit = { headers: { authorization: `Bearer ${token}` } }
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit }))

// Agents are tools named ask_…; RAG, retrieval and API tools have their own names.
const { tools } = await client.listTools()
for (const { name, description } of tools) console.log(`${name}: ${description}`)

const name = process.argv[2] ?? 'ask_parley_guide'
const message = process.argv[3] ?? 'How do I stop Parley?'
const { content } = await client.callTool({ name, arguments: { message } })
console.log(`\n${message}`)
for (const part of content) {
  if (part.type === 'text') console.log(part.text)
  if (part.type === 'resource_link') console.log(`${part.title}: "${part.description}"`) // what the answer cites
}
await client.close()
