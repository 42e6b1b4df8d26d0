import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookError } from '../../client/src/index.ts'
import { parley } from '../connect.ts'

const port = Number(process.env.PORT ?? 4000)
const url = process.env.PUBLIC_URL ?? `http://127.0.0.1:${port}`
const { id, secret } = await parley.webhooks.create({ url, events: ['*'], description: 'Example receiver' })
const handled = new Set<string>() // in production: a table with a unique key, which all processes share

const server = createServer(async (request, response) => {
  const delivery = String(request.headers['webhook-id'])
  try {
    const body = await buffer(request) // the signature covers the bytes as they were sent, not the parsed JSON
    const { type, data } = await verifyWebhook({ body, headers: request.headers, secret }) // at most 5 minutes old
    if (!handled.has(delivery)) {
      handled.add(delivery) // a delivery that is repeated, or replayed by somebody, is handled once
      await post(`Parley: ${type} ${JSON.stringify(data)}`)
    }
    response.writeHead(204).end()
  } catch (error) {
    if (error instanceof WebhookError) return response.writeHead(401).end(error.message)
    handled.delete(delivery)
    response.writeHead(500).end() // Parley tries again later
  }
})

/** Writes to a Slack channel if SLACK_WEBHOOK_URL is set, and to the terminal. */
async function post(text: string): Promise<void> {
  console.log(text)
  const slack = process.env.SLACK_WEBHOOK_URL
  if (!slack) return
  const { ok } = await fetch(slack, { method: 'POST', body: JSON.stringify({ text }) })
  if (!ok) throw new Error('Slack did not take the message.')
}

process.once('SIGINT', async () => {
  server.close()
  await parley.webhooks.delete(id)
})
server.listen(port, '127.0.0.1', () => console.log(`Waiting for events at ${url}. Press Ctrl-C to stop.`))
await parley.webhooks.test(id)
