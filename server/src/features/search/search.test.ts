import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { knowledge } from '../../../test/knowledge.ts'
import { stage } from '../../../test/stage.ts'

it('finds everything that the caller may read by name, and conversations by what was said', async () => {
  const here = await stage({ deltas: ['The zeppelin lands at noon.'] }, undefined, { name: 'Zeppelin pilot' })
  const made = async (path: string, body: object) => (await here.post(path, body)).body.data.id
  const document = { title: 'Zeppelin manual', content: 'How to fly.' }
  const source = await made('/knowledge-sources', {
    name: 'Zeppelins',
    type: 'text',
    configuration: { documents: [document] },
  })
  const ids: Record<string, string> = {
    agent: here.agent,
    knowledge_source: source,
    rag_tool: await made('/rag-tools', { name: 'zeppelin facts', knowledge_source_id: source }),
    retrieval_tool: await made('/retrieval-tools', { name: 'zeppelin search', knowledge_source_ids: [source] }),
    api_tool: await made('/api-tools', { name: 'zeppelin_api', description: 'D', url: 'https://example.com/' }),
    prompt_template: await made('/prompt-templates', { name: 'Zeppelin tone', template: 'x' }),
    model: await made('/models', { name: 'Zeppelin 3', provider: 'ollama', model_id: 'z' }),
    evaluation: await made('/evaluations', {
      name: 'Zeppelin cases',
      type: 'agent',
      target_id: here.agent,
      test_cases: [{ input: 'a' }],
    }),
    conversation: await made('/conversations', { agent_id: here.agent, user_id: 'ada' }),
  }
  await here.say(ids.conversation ?? '', 'When do we land?')
  await knowledge(here).settled(source)
  const find = async (q: string, token = here.token): Promise<Json[]> =>
    (await here.get(`/search?q=${q}`, { token })).body.data
  const types = (found: Json[]) => found.map(({ type }) => type).sort()

  const found = await find('zeppelin')
  expect(types(found)).toEqual([...Object.keys(ids), 'document'].sort())
  for (const { type, id } of found) if (type !== 'document') expect([type, id]).toEqual([type, ids[type]])
  expect(found.find(({ type }) => type === 'document')).toMatchObject({
    name: 'Zeppelin manual',
    knowledge_source_id: source,
  })
  expect(found.find(({ type }) => type === 'api_tool')?.description).toBe('D')
  const [said] = found.filter(({ type }) => type === 'conversation')
  expect(said.matches[0]).toMatchObject({ snippet: 'The zeppelin lands at noon.', highlights: [{ start: 4, end: 12 }] })

  const ada = await here.tokenFor('user', { user_id: 'ada' })
  expect(types(await find('zeppelin', ada))).toEqual(['agent', 'conversation'])
  expect(types(await find('zeppelin', await here.tokenFor('user', { user_id: 'bob' })))).toEqual(['agent'])
  expect(types(await find('zeppelin', await here.tokenFor('viewer')))).not.toContain('conversation')
  expect(await find('nothing-like-it')).toEqual([])
  expect((await here.get('/search')).body.details[0].path).toBe('q')
})
