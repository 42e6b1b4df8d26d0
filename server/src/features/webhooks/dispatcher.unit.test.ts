import { expect, it, onTestFinished } from 'vitest'
import { Dispatcher, type Receiver } from './dispatcher.ts'

/** A dispatcher whose receivers hang for as long as the test takes, except those that are named `good`. */
function hanging() {
  const sent: string[] = []
  const dispatcher = new Dispatcher({
    async send({ webhook }, signal) {
      sent.push(webhook)
      if (!webhook.startsWith('good'))
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return false
    },
    handOver: async () => {},
    onError: (_receiver: Receiver, error) => {
      throw error
    },
  })
  onTestFinished(() => dispatcher.close(0))
  const wake = async (workspace: string, ...webhooks: string[]) => {
    for (const webhook of webhooks) await dispatcher.wake({ workspace, webhook })
  }
  return { wake, sent }
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `hook ${n}`)

it('sends to other receivers while some hang, in the same workspace and in others', async () => {
  const { wake, sent } = hanging()
  await wake('one', ...names(24))
  await wake('one', 'good here')
  await wake('two', 'good there')
  expect(sent).toEqual([...names(24), 'good here', 'good there'])
})

it('leaves room for other workspaces when all receivers of one hang', async () => {
  const { wake, sent } = hanging()
  await wake('one', ...names(100))
  const share = sent.length
  expect(share).toBeLessThan(100)
  await wake('two', 'good there')
  expect(sent.slice(share)).toEqual(['good there'])
})
