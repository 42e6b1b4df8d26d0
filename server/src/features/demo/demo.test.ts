import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { testConfig } from '../../../test/config.ts'
import { freshEnvironment, type Json, startOn, until } from '../../../test/harness.ts'
import { createParley, createThreads } from '../../app.ts'

const root = new URL('../../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** The first paragraph below a heading, as one line. */
const paragraphBelow = (path: string, heading: string): string =>
  read(path).split(`# ${heading}\n`)[1]?.trim().split('\n\n')[0]?.replace(/\s+/g, ' ') ?? ''

/** The questions that the console suggests for a first chat, with the paragraph that answers each, and what it must have. */
const suggested: Record<string, { paragraph: string; has: RegExp }> = {
  'What is Parley?': {
    paragraph: paragraphBelow('docs/faq.md', 'What is Parley?'),
    has: /self-hosted platform for conversational AI agents/,
  },
  'How do I give an agent knowledge?': {
    paragraph: paragraphBelow('docs/getting-started.md', 'How to give an agent knowledge'),
    has: /open \*\*Knowledge\*\*, create a source and upload documents; then open \*\*Tools\*\*/,
  },
  'How do I connect a language model?': {
    paragraph: paragraphBelow('docs/faq.md', 'How do I connect a language model?'),
    has: /open \*\*Models\*\* in the console, select "Connect a model"/,
  },
  'What happens when a budget is exceeded?': {
    paragraph: paragraphBelow('docs/faq.md', 'What happens when a budget is exceeded?'),
    has: /further model calls are refused/,
  },
}

it('the demo agent answers from the documentation with citations, without a key or network', async () => {
  const service = await startOn({ ...(await freshEnvironment()), ADMIN_TOKEN: 't', DEMO: 'true' })
  const [tool] = (await service.get('/rag-tools')).body.data
  await until(async () => (await service.get(`/rag-tools/${tool.id}`)).body.data.status === 'ready')
  const [agent] = (await service.get('/agents')).body.data
  expect(agent.tools).toEqual([tool.id])
  const conversation = (await service.post('/conversations', { agent_id: agent.id })).body.data.id
  const ask = async (message: string) =>
    (await service.post(`/conversations/${conversation}/messages`, { message })).body.data as Json
  const { content, citations, tool_calls } = await ask('How do I start Parley?')
  expect(content).toMatch(/npm (install|start)/)
  expect(tool_calls).toMatchObject([{ tool_id: tool.id, status: 'completed' }])
  const named = new Set([...content.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1])))
  expect(named.size).toBeGreaterThan(0)
  expect(new Set(citations.map((each: Json) => each.index))).toEqual(named)
  for (const { document_id, start, end, quote } of citations) {
    const path = `/knowledge-sources/${tool.knowledge_source_id}/documents/${document_id}/content`
    const { text } = (await service.get(`${path}?start=${start}&end=${end}`)).body.data
    expect(text).toBe(quote)
    if (!quote.startsWith('|')) expect(content).toContain(quote) // a row of a table is told with the names of its columns
  }
  expect((await ask('Which environment variable sets the port?')).content).toContain('PORT')

  const guide = read('console/src/pages/home/guide.tsx')
  expect([...guide.matchAll(/^ {2}'(.*\?)',$/gm)].map(([, question]) => question)).toEqual(Object.keys(suggested))
  for (const [question, { paragraph, has }] of Object.entries(suggested)) {
    const said = (await ask(question)).content.replace(/\s+/g, ' ')
    expect(said).toMatch(has)
    expect(paragraph, `${question} ${said}`).toContain(said.replace(/ ?\[\d+\]$/, '')) // it may leave out where to read on
  }
})

it('a first start embeds nothing: npm run build has made the vectors of the documentation', async () => {
  const threads = createThreads()
  const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 't', DEMO: 'true' }
  const parley = await createParley(testConfig(environment), { threads })
  onTestFinished(() => parley.close())
  const index = await until(async () => {
    const answer = await parley.app.inject({ url: '/api/rag-tools', headers: { authorization: 'Bearer t' } })
    const [tool] = answer.json().data
    return tool.status === 'ready' && tool.index.refined === tool.index.chunks && tool.index
  })
  expect(index.chunks).toBeGreaterThan(100)
  expect(threads.embedding.miniLm.isLoaded()).toBe(false)
})
