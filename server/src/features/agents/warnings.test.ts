import { expect, it } from 'vitest'
import { echoTool } from '../../../test/echo-tool.ts'
import { startService } from '../../../test/harness.ts'
import type { ToolTraits } from '../../kernel/agent/tools.ts'

it('an agent with private data, untrusted text and a way out has a warning, until one of the three is removed', async () => {
  const traits = new Map<string, ToolTraits>()
  const echo = echoTool([], { traits: async () => traits })
  const service = await startService({ shared: true, features: [echo.feature] })
  const { post, put, get, tokenFor } = service
  const [knows, reads, sends] = [await echo.create(service), await echo.create(service), await echo.create(service)]
  traits.set(knows, { readsPrivate: true }).set(reads, { readsUntrusted: true }).set(sends, { sendsOut: true })

  const made = await post('/agents', { name: 'A', tools: [knows, reads, sends] })
  const expected = [
    { code: 'data_can_leak', message: expect.stringContaining('Require approval'), tools: [knows, reads, sends] },
  ]
  expect([made.status, made.body.data.warnings]).toEqual([201, expected])
  const { id } = made.body.data
  for (const token of [service.token, await tokenFor('viewer')]) {
    expect((await get(`/agents/${id}`, { token })).body.data.warnings).toEqual(expected)
  }
  expect('warnings' in (await get('/agents')).body.data[0]).toBe(false)

  for (const tools of [[knows, reads], [knows, sends], [reads, sends], []]) {
    expect((await put(`/agents/${id}`, { tools })).body.data.warnings).toEqual([])
  }
  const restored = await post(`/agents/${id}/versions/1/restore`)
  expect(restored.body.data.warnings).toEqual(expected)
  const back = await put(`/agents/${id}`, { ...restored.body.data, warnings: [] })
  expect([back.status, back.body.data.warnings, back.body.data.version]).toEqual([
    200,
    expected,
    restored.body.data.version,
  ])

  traits.set(sends, {}) // as when its calls need approval now
  expect((await get(`/agents/${id}`)).body.data.warnings).toEqual([])
})

it('web sources are untrusted, other sources are private', async () => {
  const traits = new Map<string, ToolTraits>()
  const echo = echoTool([], { traits: async () => traits })
  const service = await startService({ shared: true, features: [echo.feature] })
  const sends = await echo.create(service)
  traits.set(sends, { sendsOut: true })
  const createSource = async (body: object): Promise<string> =>
    (await service.post('/knowledge-sources', { name: 'S', ...body })).body.data.id
  const own = await createSource({ type: 'text', configuration: { documents: [{ title: 'T', content: 'Private.' }] } })
  const web = await createSource({ type: 'web', configuration: { urls: ['https://example.com/'] } })
  const rag = async (source: string): Promise<string> =>
    (await service.post('/rag-tools', { name: 'R', knowledge_source_id: source })).body.data.id
  const both = (await service.post('/retrieval-tools', { name: 'B', knowledge_source_ids: [own, web] })).body.data.id
  const [knows, reads] = [await rag(own), await rag(web)]
  const warned = async (...tools: string[]) =>
    (await service.post('/agents', { name: 'A', tools })).body.data.warnings.length === 1
  expect(await warned(knows, reads, sends)).toBe(true)
  expect(await warned(both, sends)).toBe(true)
  expect(await warned(knows, sends)).toBe(false)
  expect(await warned(reads, sends)).toBe(false)
  expect(await warned(knows, reads, both)).toBe(false)
})

it('an API tool sends data out unless it requires approval', async () => {
  const { post, put, get } = await startService()
  const configuration = { documents: [{ title: 'T', content: 'Private.' }] }
  const source = (await post('/knowledge-sources', { name: 'S', type: 'text', configuration })).body.data.id
  const knows = (await post('/rag-tools', { name: 'R', knowledge_source_id: source })).body.data.id
  const api = { name: 'send', description: 'Sends.', url: 'https://example.com/' }
  const sends = (await post('/api-tools', api)).body.data.id
  const agent = (await post('/agents', { name: 'A', tools: [knows, sends] })).body.data
  expect(agent.warnings).toMatchObject([{ code: 'data_can_leak', tools: [knows, sends] }])
  expect((await put(`/api-tools/${sends}`, { requires_approval: true })).status).toBe(200)
  expect((await get(`/agents/${agent.id}`)).body.data.warnings).toEqual([])
})
