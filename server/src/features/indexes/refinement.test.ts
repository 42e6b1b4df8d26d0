import { makePdf } from '@parley/documents/testing'
import { expect, it, onTestFinished } from 'vitest'
import { builtIn, library } from '../../../test/handbook.ts'
import { type Json, startService, until } from '../../../test/harness.ts'
import { knowledge } from '../../../test/knowledge.ts'
import { pausedParser } from '../../../test/paused-parser.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { second } from '../../kernel/time.ts'

const external = { name: 'E', provider: 'openai-compatible', model_id: 'emb-1', type: 'embedding' }

it('starts with the sync of a source, so that a tool is refined from the start', async () => {
  let time = Date.now()
  const service = await startService({ now: () => time })
  const { source } = await library(service)
  const read = async () => (await service.get(`/knowledge-sources/${source}`)).body.data.index
  expect(await read()).toMatchObject({ documents: 3, chunks: 3, refined: 0, seconds_left: null })
  time += 6 * second
  await until(async () => (await read()).refined === 3)
  const over = { knowledge_source_id: source, ...builtIn }
  const { status, body } = await service.post('/rag-tools', { name: 'Late', ...over })
  expect([status, body.data.status, body.data.index.refined]).toEqual([201, 'ready', 3])
  expect((await service.get(`/knowledge-sources?limit=1`)).body.data[0]).not.toHaveProperty('index')
})

it('does not wait for slow documents of other sources', async () => {
  let time = Date.now()
  const service = await startService({ now: () => time })
  const slow = Promise.withResolvers<void>()
  let reads = 0
  pausedParser(service, { read: async () => (++reads <= 3 ? slow.promise : undefined), prepare: async () => {} })
  const { make, upload, settled } = knowledge(service)
  const scans = await Promise.all([1, 2, 3].map(() => make()))
  await Promise.all(scans.map((source) => upload(source, { 'scan.pdf': makePdf(['A slow page.']) })))
  await until(async () => reads === 3)
  const { source } = await library(service)
  time += 6 * second
  await until(async () => (await service.get(`/knowledge-sources/${source}`)).body.data.index.refined === 3)
  slow.resolve()
  for (const scan of scans) expect((await settled(scan)).documents).toMatchObject({ added: 1 })
})

it('of an external model estimates the time left, and none is called before a tool needs it', async () => {
  let embedded = 0
  // The first batch is embedded, the second one hangs.
  const provider = await scriptedProvider(({ path }) =>
    path.endsWith('/embeddings') && ++embedded > 1 ? { fault: 'hang' } : {},
  )
  onTestFinished(() => provider.close())
  const service = await startService()
  await service.post('/models', { ...external, endpoint: provider.url, is_default: true })
  const documents = Array.from({ length: 40 }, (_, at) => ({ title: `Note ${at}`, content: `The note number ${at}.` }))
  const { ragTool } = await library(service, documents)
  expect(embedded).toBe(0)
  const tool = await ragTool({ embedding_model: 'emb-1' })
  const index = await until(async () => {
    const { data } = (await service.get(`/rag-tools/${tool}`)).body
    return data.index.seconds_left !== null && (data.index as Json)
  })
  expect(index).toMatchObject({ chunks: 40, refined: 32 })
  expect(index.seconds_left).toBeGreaterThanOrEqual(1)
})
