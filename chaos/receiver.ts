import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebhookReceiver {
  url: string
  /** The bodies by the id of their event, and how often each came. */
  events: Map<string, { type: string; data: Record<string, unknown>; times: number }>
  close(): void
}

/** Receives webhooks, and answers every seventh event with an error at first. Also the API that tools call. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const events: WebhookReceiver['events'] = new Map()
  const refused = new Set<string>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const id = request.headers['webhook-id']
    if (typeof id !== 'string') return void response.setHeader('content-type', 'application/json').end('{"ok":true}')
    if (!events.has(id) && !refused.has(id) && (events.size + refused.size) % 7 === 0) {
      refused.add(id)
      return void response.writeHead(500).end()
    }
    const { type, data } = JSON.parse(text)
    events.set(id, { type, data, times: (events.get(id)?.times ?? 0) + 1 })
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
