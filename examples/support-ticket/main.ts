import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parley, url } from '../connect.ts'

const title = process.argv[2] ?? 'The machine leaks after descaling'

const agent = await parley.agents.create({
  name: 'Ticket triage',
  system_prompt: 'Say in one sentence what the ticket is about and how urgent it is.',
})
const { id, secret } = await parley.triggers.create({
  name: 'New tickets',
  agent_id: agent.id,
  template: 'A ticket came in.\nTitle: {{body.ticket.title}}\nFrom: {{body.ticket.from}}',
  conversation_key: 'body.ticket.id', // later webhooks of the ticket continue its conversation
})

/** Sends the ticket as the ticket system does, signed by the rules of Standard Webhooks. */
async function sendTicket(ticket: object): Promise<{ run_id: string; conversation_id: string }> {
  const body = JSON.stringify({ ticket })
  const event = `evt_${randomUUID()}` // a repetition with the same id starts nothing
  const time = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${event}.${time}.${body}`).digest('base64')
  const response = await fetch(`${url}/api/v1/triggers/${id}/fire`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': event,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  })
  if (response.status !== 202) throw new Error(await response.text())
  return ((await response.json()) as { data: { run_id: string; conversation_id: string } }).data
}

const fired = await sendTicket({ id: 7, title, from: 'ada@example.com' })
const findRun = async () => (await parley.triggers.runs(id, { id: fired.run_id }).all(1))[0]
let run = await findRun()
while (run?.finished_at === null) {
  await setTimeout(200)
  run = await findRun()
}
const { messages } = await parley.conversations.get(fired.conversation_id)
console.log(`Run ${run?.status}: ${messages.at(-1)?.content}`)
process.exitCode = run?.status === 'succeeded' ? 0 : 1
