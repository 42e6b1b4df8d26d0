import { expect, it } from 'vitest'
import type { Json } from '../../../../test/harness.ts'
import type { Director } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'

/** About 100 tokens. */
const long = (n: number) => `Question ${n}: ${'lorem ipsum dolor sit amet '.repeat(16)}`

const context = { strategy: 'summarize', keep_messages: 4 }

async function summarizing() {
  let count = 0
  const director: Director = ({ body }) => {
    const [first] = body.messages as { content: string }[]
    if (first?.content.startsWith('You summarize'))
      return { deltas: [`Summary ${++count}`], usage: { input: 700, output: 9 } }
    return { deltas: ['Fine.'] }
  }
  const all = await stage(director, {}, { context, max_tokens: 100 })
  await all.put(`/models/${all.model}`, { context_window: 1000 })
  return all
}

it('summarizes what no longer fits once per stretch, and keeps the rest and the prefix as they are', async () => {
  const { get, say, talk, provider, told, agent } = await summarizing()
  expect((await get(`/agents/${agent}`)).body.data.context).toEqual(context)
  const id = await talk()
  const replies: Json[] = []
  for (let n = 1; n <= 20; n++) replies.push((await say(id, long(n))).body.data)
  const conversation = (await get(`/conversations/${id}`)).body.data
  expect(
    conversation.messages.map(({ content }: Json) => content).filter((_: string, at: number) => at % 2 === 0),
  ).toEqual(Array.from({ length: 20 }, (_, n) => long(n + 1)))
  const requests = provider.requests.map((_, at) => told(at))
  const summaries = requests.filter(([system]) => system?.startsWith('You summarize'))
  const turns = requests.filter(([system]) => system === 'Be kind.')
  expect(turns).toHaveLength(20)
  expect(summaries.length).toBeGreaterThan(0)
  expect(summaries.length).toBeLessThan(6) // not for every message
  expect(conversation.summary).toMatchObject({ content: `Summary ${summaries.length}` })
  expect(summaries.at(-1)?.[1]).toContain(`Summary ${summaries.length - 1}`)
  const last = turns.at(-1) ?? []
  expect(last[1]).toContain(`Summary ${summaries.length}`)
  for (const n of [19, 20]) expect(last.some((text) => text.includes(long(n)))).toBe(true)
  expect(last.join('\n')).not.toContain(long(1))
  // Until the next summary each prompt begins with the one before it.
  const isContinued = turns.slice(1).filter((turn, at) => turns[at]?.every((text, n) => turn[n] === text))
  expect(isContinued).toHaveLength(19 - summaries.length)
  const traces = await Promise.all(
    replies.map(async ({ id: reply }) => (await get(`/conversations/${id}/messages/${reply}/trace`)).body.data.steps),
  )
  const steps = traces.flat()
  expect(steps.filter(({ type }: Json) => type === 'summary')).toHaveLength(summaries.length)
  const stats = (await get(`/usage/stats?entity_id=${id}`)).body.data
  expect(Object.values(stats.by_model)).toMatchObject([{ requests: 20 + summaries.length }])
})

it('is not used on a branch that it does not cover', async () => {
  const { get, say, talk, provider, told } = await summarizing()
  const id = await talk()
  const replies: Json[] = []
  for (let n = 1; n <= 10; n++) replies.push((await say(id, long(n))).body.data)
  expect((await get(`/conversations/${id}`)).body.data.summary).not.toBeNull()
  await say(id, 'Another start', { parent_message_id: replies[0].id })
  expect(told(provider.requests.length - 1)).toEqual(['Be kind.', long(1), 'Fine.', 'Another start'])
})

it('drops a summary that covers a deleted message', async () => {
  const { get, post, remove, agent } = await summarizing()
  const ids: string[] = []
  let conversation = ''
  for (let n = 1; n <= 10; n++) {
    const body = { model: agent, input: long(n), ...(n > 1 && { previous_response_id: ids.at(-1) }) }
    const response = (await post('/openai/v1/responses', body)).body
    ids.push(response.id)
    conversation = response.conversation?.id ?? conversation
  }
  expect((await get(`/conversations/${conversation}`)).body.data.summary).not.toBeNull()
  await remove(`/openai/v1/responses/${ids[0]}`)
  expect((await get(`/conversations/${conversation}`)).body.data.summary).toBeNull()
})
