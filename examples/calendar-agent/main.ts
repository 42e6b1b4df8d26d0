import { createInterface } from 'node:readline/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parley } from '../connect.ts'
import { address, server } from './calendar.ts'

const name = `calendar_${Date.now()}`
const tool = await parley.apiTools.create({
  name,
  description: 'Lists the events in the calendar of the person who asks.',
  url: `${address()}/events`,
  auth: {
    type: 'oauth2',
    account: 'user',
    client_id: 'parley',
    authorization_url: `${address()}/authorize`,
    token_url: `${address()}/token`,
    scopes: ['calendar.read'],
  },
})
const agent = await parley.agents.create({
  name: 'Calendar',
  system_prompt: 'You tell people what is in their calendar. Look it up.',
  tool_choice: 'required',
  tools: [tool.id],
})

// The account belongs to the user of the conversation.
const conversation = await parley.conversations.create({ agent_id: agent.id, user_id: 'ada' })
let reply = await parley.conversations.send(conversation.id, 'Which events are in my calendar?')

const page = reply.tool_calls.find(({ status }) => status === 'awaiting_connection')?.connection?.authorize_url
if (page) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  console.log(`The agent needs Ada's calendar: ${page}`)
  await terminal.question('Open this page in a browser, or press Enter to allow the access from here. ')
  terminal.close()
  // A browser follows the redirect to Parley, which goes on with the reply. A page that was opened before works only once.
  await fetch(page)
}
while (reply.status === 'awaiting_connection' || reply.status === 'running') {
  await delay(200)
  reply = { ...(await parley.conversations.message(conversation.id, reply.id)), output: null }
}
server.close()
server.closeAllConnections()
console.log(reply.content)
