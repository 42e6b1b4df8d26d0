import { eventListener } from './event-listener.ts'
import type { Json, Service } from './harness.ts'
import type { Script } from './scripted-provider.ts'

export const listener = eventListener()
export const features = [listener.feature]
export const findEvents = (id: string) =>
  listener.events
    .filter(({ data }) => (data.threshold as { id: string } | undefined)?.id === id)
    .map(({ data }) => data)

export const nano = 1e-9
/** With the prices of the stage: 20 × 1,000 + 10 × 2,000 nano-dollars. */
export const reply: Script = { deltas: ['Hi'], usage: { input: 20, output: 10 } }
export const replyCost = 40_000 * nano

export const threshold = async ({ post }: Pick<Service, 'post'>, more: object): Promise<Json> => {
  const body = { name: 'Budget', metric: 'cost', limit: 1, window: 'total', action: 'block', ...more }
  const answer = await post('/usage/thresholds', body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}
