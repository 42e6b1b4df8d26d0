import { describe, expect, it } from 'vitest'
import { startService, until } from '../../../../test/harness.ts'
import { knowledge } from '../../../../test/knowledge.ts'
import { makeGate, watchedIndexer } from '../../../../test/watched-indexer.ts'
import { readParsed, readParsedDocuments } from '../contents.ts'

describe('a sync', () => {
  it('processes only changed documents and counts them', async () => {
    const service = await startService()
    const indexer = watchedIndexer(service)
    const { make, upload, sync, documents } = knowledge(service)
    const source = await make()
    await upload(source, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }, { query: '?sync=false' })
    expect((await service.get(`/knowledge-sources/${source}`)).body.data.status).toBe('pending')
    expect((await sync(source)).documents).toMatchObject({ total: 3, added: 3 })
    expect(indexer.puts.sort()).toEqual(['a.txt', 'b.txt', 'c.txt'])
    indexer.puts.length = 0
    expect((await sync(source)).documents).toEqual({
      total: 3,
      added: 0,
      updated: 0,
      removed: 0,
      unchanged: 3,
      failed: 0,
    })
    expect(indexer.puts).toEqual([])
    await upload(source, { 'b.txt': 'new b' }, { query: '?sync=false' })
    const last = await sync(source)
    expect([last.documents.updated, last.documents.unchanged, last.chunks]).toEqual([
      1,
      2,
      { embedded: 1, reused: 1, removed: 0 },
    ])
    expect(indexer.puts).toEqual(['b.txt'])
    const { ctx, workspace } = service
    const texts: string[] = []
    for await (const document of readParsedDocuments(ctx, workspace, source)) texts.push(document.text)
    expect(texts.sort()).toEqual(['a', 'c', 'new b'])
    const [first] = await documents(source)
    expect(await readParsed(ctx, workspace, first.id)).toMatchObject({ label: 'a.txt', text: 'a', sourceId: source })
    const { data, pagination } = (await service.get(`/knowledge-sources/${source}/syncs?status=completed`)).body
    expect([data[0].id, pagination.total]).toEqual([last.id, 3])
    expect((await service.get(`/knowledge-sources/${source}/syncs/syn_none`)).status).toBe(404)
  })

  it('never counts more documents than its total', async () => {
    const service = await startService()
    watchedIndexer(service)
    const documents = Array.from({ length: 300 }, (_, at) => ({ title: `T${at}`, content: `Text ${at}.` }))
    const { make, settled } = knowledge(service)
    const source = await make({ type: 'text', configuration: { documents } })
    await until(async () => {
      const [{ status, documents: counted }] = (await service.get(`/knowledge-sources/${source}/syncs`)).body.data
      expect(counted.total).toBeGreaterThanOrEqual(counted.added)
      return status !== 'running'
    })
    expect((await settled(source)).documents).toMatchObject({ total: 300, added: 300 })
  })

  it('that a change has started is returned to the first caller who requests one', async () => {
    const service = await startService()
    const indexer = watchedIndexer(service)
    const { make, upload, settled } = knowledge(service)
    const source = await make()
    const gate = makeGate()
    indexer.before(() => gate.opened)
    await upload(source, { 'a.txt': 'a' })
    const asked = await service.post(`/knowledge-sources/${source}/sync`)
    expect(asked.status).toBe(200)
    expect((await service.post(`/knowledge-sources/${source}/sync`)).status).toBe(409)
    gate.open()
    expect((await settled(source)).id).toBe(asked.body.data.id)
  })

  it('tolerates that documents and sources are deleted meanwhile', async () => {
    const service = await startService()
    const indexer = watchedIndexer(service)
    const { make, upload, settled, documents } = knowledge(service)
    const source = await make()
    const gate = makeGate()
    indexer.before(() => gate.opened)
    const { data } = (await upload(source, { 'a.txt': 'a', 'b.txt': 'b' })).body
    await until(() => indexer.puts.length === 2)
    expect((await service.remove(`/knowledge-sources/${source}/documents/${data[0].id}`)).status).toBe(200)
    gate.open()
    expect((await settled(source)).status).toBe('completed')
    expect((await documents(source)).map((document) => document.name)).toEqual(['b.txt'])
    expect([...indexer.held.keys()]).toEqual([data[1].id])

    const another = makeGate()
    indexer.before(() => another.opened)
    indexer.puts.length = 0
    await upload(source, { 'c.txt': 'c' })
    await until(() => indexer.puts.length === 1)
    expect((await service.remove(`/knowledge-sources/${source}`)).status).toBe(200)
    another.open()
    await until(() => indexer.dropped.filter((id) => id === source).length >= 2 && indexer.held.size === 0)
    const texts = service.ctx.db.selectFrom('knowledge_text').selectAll().where('workspace_id', '=', service.workspace)
    expect(await texts.execute()).toEqual([])
  })
})
