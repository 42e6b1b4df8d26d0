import { expect } from 'vitest'
import { type Service, type Start, startService } from './harness.ts'
import { type Answers, startReceiver } from './receiver.ts'

export const open = { EGRESS_ALLOW: '127.0.0.1' }
export const start = (more: Start = { shared: true }): Promise<Service> => startService({ environment: open, ...more })

export async function hooked(answers?: Answers, more?: Start) {
  const receiver = await startReceiver(answers)
  const service = await start(more)
  const webhook = (await service.post('/webhooks', { url: receiver.url, events: ['*'] })).body.data
  const agent = (await service.post('/agents', { name: 'A' })).body.data.id
  const deliveries = async (query = '') => (await service.get(`/webhooks/${webhook.id}/deliveries${query}`)).body.data
  return {
    ...service,
    receiver,
    webhook,
    deliveries,
    async complete(body: object = {}): Promise<string> {
      const { id } = (await service.post('/conversations', { agent_id: agent, ...body })).body.data
      expect((await service.post(`/conversations/${id}/complete`)).status).toBe(200)
      return id
    },
  }
}
