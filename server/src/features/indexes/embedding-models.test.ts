import { describe, expect, it, onTestFinished } from 'vitest'
import { builtIn, library, long, sections } from '../../../test/handbook.ts'
import { freshEnvironment, type Json, startOn, startService, until } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'

describe('an index', () => {
  it('is embedded in the background by the built-in model; the static model needs no embedding', async () => {
    const service = await startService()
    const { ragTool, whenRefined } = await library(service)
    const tool = await ragTool(builtIn)
    expect((await whenRefined(`/rag-tools/${tool}`)).index).toMatchObject({ chunks: 3, refined: 3 })
    const plain = await ragTool({ embedding_model: 'parley-static-256' })
    const { index, status_message } = (await service.get(`/rag-tools/${plain}`)).body.data
    expect([index.chunks, index.refined, status_message]).toEqual([3, 3, null])
  }, 300_000)

  it('of a new source is built whatever other models have the name of the built-in one', async () => {
    const service = await startService()
    const endpoint = 'http://127.0.0.1:1/v1'
    for (const model of [{ provider: 'local' }, { provider: 'ollama', endpoint }]) {
      const created = await service.post('/models', { name: 'Another', model_id: builtIn.embedding_model, ...model })
      expect(created.body.data.type).toBe('embedding')
    }
    const { source, settled, ragTool, ask } = await library(service)
    expect((await settled(source)).documents).toMatchObject({ total: 3, failed: 0 })
    const tool = await ragTool({ embedding_model: null })
    expect((await ask(tool, 'parental leave', { answer: false })).results[0].metadata.source).toBe('Leave')
  })

  it('reports why its embedding model fails, serves meanwhile and catches up', async () => {
    const provider = await scriptedProvider({ status: 401, body: { error: { message: 'Wrong key.' } } })
    onTestFinished(() => provider.close())
    const service = await startService()
    const { ragTool, ask, whenRefined } = await library(service)
    const model = { name: 'E', provider: 'openai-compatible', model_id: 'emb-1', type: 'embedding' }
    await service.post('/models', { ...model, endpoint: provider.url })
    const tool = await ragTool({ embedding_model: 'emb-1' })
    const stuck = await until(async () => {
      const { data } = (await service.get(`/rag-tools/${tool}`)).body
      return data.status_message !== null && data
    })
    expect([stuck.status, stuck.index.refined]).toEqual(['ready', 0])
    expect(stuck.status_message).toContain('401')
    const pending = await ask(tool, 'pump', { answer: false })
    expect(pending.results[0].metadata.source).toBe('Machines')
    expect(pending).toMatchObject({ index: { status: 'ready' }, degraded: [{ code: 'embedding_pending' }] })
    await provider.close()
    const recovered = await scriptedProvider(undefined, { port: Number(new URL(provider.url).port) })
    onTestFinished(() => recovered.close())
    await whenRefined(`/rag-tools/${tool}`)
    await until(async () => (await service.get(`/rag-tools/${tool}`)).body.data.status_message === null)
    expect((await ask(tool, 'pump', { answer: false })).degraded).toEqual([])
  })

  it('is loaded after a restart and goes on being embedded', async () => {
    const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 't' }
    const first = await startOn(environment)
    const { ragTool } = await library(first, long(sections))
    const tool = await ragTool({ ...builtIn, chunk_size: 100 })
    await first.close(0)
    const second = await startOn(environment)
    const read = await until(async () => {
      const { data } = (await second.get(`/rag-tools/${tool}`)).body
      return data.index.refined === data.index.chunks && data
    })
    expect([read.status, read.index.chunks > 10]).toEqual(['ready', true])
    const { body } = await second.post(`/rag-tools/${tool}/query`, { query: 'sentence 3', answer: false })
    expect(body.data.results.map((result: Json) => result.metadata.source)).toContain('Long')
  }, 300_000)
})
