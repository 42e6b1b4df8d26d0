import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Json, until } from '../../../../test/harness.ts'
import type { Director } from '../../../../test/scripted-provider.ts'
import { stage } from '../../../../test/stage.ts'
import { context, long, summarizing } from '../../../../test/summarizing.ts'

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

it('keeps the names of the documents that were found, and not their passages', async () => {
  const director: Director = ({ body }) => {
    const messages = body.messages as Json[]
    const last = messages.at(-1)
    if (messages[0]?.content.startsWith('You summarize')) return { deltas: ['Summary'] }
    if (last.role !== 'user' || !last.content.startsWith('Search')) return { deltas: ['Fine.'] }
    return { toolCalls: [{ id: 'call_1', name: 'Zoo', arguments: '{"query": "zebra"}' }] }
  }
  const { get, put, post, say, talk, agent, model, told, provider } = await stage(
    director,
    {},
    { context, max_tokens: 100 },
  )
  const documents = [{ title: 'stripes.md', content: 'The zebra eats at seven.' }]
  const source = (await post('/knowledge-sources', { name: 'Zoo', type: 'text', configuration: { documents } })).body
    .data
  await until(async () => {
    const { data } = (await get(`/knowledge-sources/${source.id}/documents`)).body
    return data[0]?.status === 'indexed'
  })
  const tool = (await post('/rag-tools', { name: 'Zoo', knowledge_source_id: source.id })).body.data.id
  await put(`/agents/${agent}`, { tools: [tool] })
  await put(`/models/${model}`, { context_window: 1000 })
  const id = await talk()
  await say(id, 'Search for the zebra.')
  const summaries = () =>
    provider.requests.map((_, at) => told(at)).filter(([system]) => system?.startsWith('You summarize'))
  for (let n = 1; summaries().length === 0 && n < 12; n++) await say(id, long(n))
  const [, transcript = ''] = summaries()[0] ?? []
  expect(transcript).toMatch(/called Zoo with .*zebra.*\n.*stripes\.md/)
  expect(transcript).not.toContain('eats at seven')
})

it('nothing deleted is left in a summary or in a prompt, after any sequence of messages and deletions', async () => {
  const wordsIn = (text: string) => text.match(/sparrow\d+/g) ?? []
  const director: Director = ({ body }) => {
    const [first, second] = body.messages as { content: string }[]
    const isSummary = first?.content.startsWith('You summarize')
    return { deltas: [isSummary ? `They spoke of ${wordsIn(second?.content ?? '').join(' ')}.` : 'Fine.'] }
  }
  const { get, remove, say, talk, put, model, provider } = await stage(director, {}, { context, max_tokens: 100 })
  await put(`/models/${model}`, { context_window: 1000 })
  let word = 0
  const run = async (commands: ('say' | number)[]) => {
    const id = await talk()
    const items = `/openai/v1/conversations/${id}/items`
    const deleted = new Set<string>()
    let hadSummary = false
    for (const command of commands) {
      if (command === 'say') await say(id, `sparrow${++word}: ${long(word)}`)
      else {
        const all = (await get(`${items}?limit=100&order=asc`)).body.data as Json[]
        const questions = all.filter(({ role, content }) => role === 'user' && wordsIn(content[0].text).length > 0)
        const question = questions[command % Math.max(1, questions.length)]
        if (!question) continue
        const { summary } = (await get(`/conversations/${id}`)).body.data
        hadSummary ||= summary !== null
        expect((await remove(`${items}/${question.id}`)).status).toBe(200)
        for (const each of wordsIn(question.content[0].text)) deleted.add(each)
      }
      const { summary } = (await get(`/conversations/${id}`)).body.data
      expect(wordsIn(summary?.content ?? '').filter((each) => deleted.has(each))).toEqual([])
    }
    const before = provider.requests.length
    await say(id, 'And now?')
    const prompts = provider.requests.slice(before).map(({ body }) => JSON.stringify(body.messages))
    expect(wordsIn(prompts.join()).filter((each) => deleted.has(each))).toEqual([])
    return hadSummary
  }
  const told = (count: number) => Array<'say'>(count).fill('say')
  expect(await run([...told(10), 0, ...told(3), 1])).toBe(true)
  const command = fc.oneof(
    { weight: 4, arbitrary: fc.constant('say' as const) },
    { weight: 1, arbitrary: fc.nat({ max: 9 }) },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 4, maxLength: 8 }),
      async (more) => void (await run([...told(6), ...more])),
    ),
    { numRuns: 4 },
  )
})
