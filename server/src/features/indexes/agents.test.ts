import { describe, expect, it } from 'vitest'
import { library } from '../../../test/handbook.ts'
import { type Json, startService } from '../../../test/harness.ts'
import { knowledge } from '../../../test/knowledge.ts'
import { stage } from '../../../test/stage.ts'
import { watchedIndexer } from '../../../test/watched-indexer.ts'

describe('an agent with knowledge', () => {
  it('on the local model quotes the documents and cites exact positions', async () => {
    const service = await startService()
    const { ragTool, source, text } = await library(service)
    const tool = await ragTool()
    const agent = (await service.post('/agents', { name: 'A', tools: [tool] })).body.data.id
    const conversation = (await service.post('/conversations', { agent_id: agent })).body.data.id
    const message = 'Where is the password of the guest network?'
    const { data } = (await service.post(`/conversations/${conversation}/messages`, { message })).body
    expect(data.content).toContain('The password of the guest network is on the wall of the reception.')
    expect(data.tool_calls).toMatchObject([{ tool_id: tool, name: 'Handbook', status: 'completed' }])
    expect(data.citations.length).toBeGreaterThan(0)
    for (const { index, source: title, page, document_id, start, end, quote } of data.citations) {
      expect(data.content).toContain(`${quote} [${index}]`)
      expect([title, page]).toEqual(['Office', 1])
      expect((await text(source, document_id)).slice(start, end)).toBe(quote)
    }
    const again = (await service.get(`/conversations/${conversation}`)).body.data.messages.at(-1)
    expect(again.citations).toEqual(data.citations)
    const other = { message: 'Where do I put my bike?' }
    const reworded = (await service.post(`/conversations/${conversation}/messages`, other)).body.data
    expect(reworded.content).toContain('Bicycles are kept in the basement.')
    expect(reworded.citations.length).toBeGreaterThan(0)
    expect((await service.remove(`/rag-tools/${tool}`)).body.code).toBe('in_use')
  })

  it('states no answer if no passage answers the question', async () => {
    const service = await startService()
    const { ragTool } = await library(service)
    const agent = (await service.post('/agents', { name: 'A', tools: [await ragTool()] })).body.data.id
    const conversation = (await service.post('/conversations', { agent_id: agent })).body.data.id
    const message = 'Which handbook explains how volcanoes on Jupiter erupt at midnight?'
    const { data } = (await service.post(`/conversations/${conversation}/messages`, { message })).body
    expect(data.content).toMatch(/^(Closest passages|Nothing)/)
    expect(data.tool_calls).toHaveLength(1)
  })

  it('says that documents are still being read if nothing was found during a sync', async () => {
    const service = await startService()
    const { make, upload, settled } = knowledge(service)
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    watchedIndexer(service).before(() => gate)
    const source = await make()
    const tool = (await service.post('/rag-tools', { name: 'Papers', knowledge_source_id: source })).body.data.id
    const agent = (await service.post('/agents', { name: 'A', tools: [tool] })).body.data.id
    const ask = async () => {
      const conversation = (await service.post('/conversations', { agent_id: agent })).body.data.id
      const message = 'Which papers tell when green tea was first grown?'
      const { data } = (await service.post(`/conversations/${conversation}/messages`, { message })).body
      calls = JSON.stringify(data.tool_calls)
      return data.content
    }
    let calls = ''
    expect(await ask()).toBe('Nothing was found that could answer this question.')
    expect(calls).toContain('index_not_ready')
    await upload(source, { 'tea.md': 'Green tea was first grown long ago.' })
    expect(await ask()).toContain('still being read')
    open()
    await settled(source)
    expect(await ask()).toBe('Nothing was found that could answer this question.')
    expect(calls).not.toContain('index_not_ready')
  })

  it('on another model gets passages numbered through the whole turn and keeps the citations it uses', async () => {
    const here = await stage({ deltas: ['Done'] })
    const { ragTool, retrievalTool, source, text } = await library(here)
    const rag = await ragTool({ name: 'Das Handbuch (für alle)', top_k: 1 })
    const retrieval = await retrievalTool({ name: 'Das Handbuch (für alle)', top_k: 1, description: 'Everything.' })
    await here.put(`/agents/${here.agent}`, { tools: [retrieval, rag] })
    const call = (id: string, name: string, query: unknown) => ({ id, name, arguments: JSON.stringify({ query }) })
    here.provider.next(
      { toolCalls: [call('c1', 'Das_Handbuch_fur_alle', 'pump'), call('c2', 'Das_Handbuch_fur_alle_2', 'bicycles')] },
      { toolCalls: [call('c3', 'Das_Handbuch_fur_alle', 'parental leave'), call('c4', 'Das_Handbuch_fur_alle', 7)] },
      { deltas: ['This is so [1]. Parents have sixteen weeks off', ' [3]. And so on [77].'] },
    )
    const { data } = (await here.say(await here.talk(), 'Tell me')).body
    const specs = here.provider.requests[0]?.body.tools as Json[]
    expect(specs.map((spec) => spec.function.name)).toEqual(['Das_Handbuch_fur_alle', 'Das_Handbuch_fur_alle_2'])
    expect(specs[1].function.description).toContain('Everything.')
    const results = (at: number) => JSON.parse(data.tool_calls[at].result).results as Json[]
    const numbers = [0, 1, 2].flatMap((at) => results(at).map(({ index }) => index))
    expect(numbers.sort()).toEqual([1, 2, 3])
    expect(here.told(1).at(-2)).toBe(data.tool_calls[0].result)
    expect(data.tool_calls[3]).toMatchObject({ status: 'failed', result: expect.stringContaining('query') })
    expect(data.citations.map(({ index }: Json) => index)).toEqual([1, 3])
    for (const { index, tool_call_id, document_id, start, end, quote } of data.citations) {
      const at = data.tool_calls.findIndex(({ id }: Json) => id === tool_call_id)
      const passage = results(at).find((result) => result.index === index)
      expect(passage?.content).toContain(quote)
      expect((await text(source, document_id)).slice(start, end)).toBe(quote)
    }
    expect(data.citations[1].quote).toContain('sixteen weeks')
  })
})
