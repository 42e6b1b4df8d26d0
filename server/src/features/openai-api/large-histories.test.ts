import { expect, it } from 'vitest'
import { mainThreadWork } from '../../../test/main-thread.ts'
import { stage } from '../../../test/stage.ts'

const repeated = <T>(count: number, make: (at: number) => T[]): T[] =>
  Array.from({ length: count }, (_, at) => make(at)).flat()

const question = { role: 'user', content: 'How are they?' }
const pair = [question, { role: 'assistant', content: 'They are well, as they were yesterday.' }]
const call = (at: number) => [
  question,
  { type: 'function_call', call_id: `call_${at}`, name: 'weather', arguments: '{}' },
  { type: 'function_call_output', call_id: `call_${at}`, output: 'Rain.' },
]
const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }]

it.each<[what: string, path: string, body: object]>([
  ['messages', '/openai/v1/chat/completions', { messages: [...repeated(4995, () => pair), question] }],
  ['calls', '/openai/v1/responses', { input: [...repeated(3330, call), question], tools, store: false }],
])('a history of almost as many %s as are accepted blocks nobody', async (_, path, body) => {
  const here = await stage({ deltas: ['Well.'] })
  await here.say(await here.talk(), 'Hello') // starts the threads
  const work = await mainThreadWork(async () => {
    expect((await here.post(path, { model: here.agent, ...body })).status).toBe(200)
  })
  // All work that grows with the history takes the same few steps for each item.
  expect(work.calls('/server/src/')).toBeLessThan(100 * 10_000)
  expect(work.json).toBeLessThan(10 * JSON.stringify(body).length)
  expect(work.calls('/packages/')).toBeLessThan(5000) // tokens are counted in a thread
})
