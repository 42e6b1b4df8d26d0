import { makePdf, makeXlsx } from '@parley/documents/testing'
import { describe, expect, it, vi } from 'vitest'
import { eventListener } from '../../../../test/event-listener.ts'
import { type Json, startOn, startService, until } from '../../../../test/harness.ts'
import { knowledge } from '../../../../test/knowledge.ts'
import { pausedParser } from '../../../../test/paused-parser.ts'
import { makeGate, watchedIndexer } from '../../../../test/watched-indexer.ts'

describe('a sync', () => {
  it('reads hidden sheets if the source includes them', async () => {
    const service = await startService()
    const { make, upload, settled, documents, text } = knowledge(service)
    const source = await make()
    const row = (word: string) => [{ row: 1, cells: { A1: word } }]
    await upload(source, { 'a.xlsx': makeXlsx({ Open: row('seen'), Notes: row('secret') }, ['Notes']), 'b.txt': 'b' })
    await settled(source)
    const [{ id }] = (await documents(source)).filter(({ name }) => name === 'a.xlsx')
    expect(await text(source, id)).toBe('# Open\n\nseen')
    const include = (include_hidden: boolean) =>
      service.put(`/knowledge-sources/${source}`, { configuration: { include_hidden } })
    expect((await include(true)).body.data.status).toBe('syncing')
    expect((await settled(source)).documents).toMatchObject({ updated: 2, failed: 0 })
    expect(await text(source, id)).toBe('# Open\n\nseen\n\n# Notes\n\nsecret')
    expect((await include(true)).body.data.status).toBe('active')
    const bad = await service.put(`/knowledge-sources/${source}`, { configuration: { ocr_languages: ['../x'] } })
    expect([bad.status, bad.body.details[0].path]).toEqual([400, 'configuration.ocr_languages[0]'])
    await include(false)
    await settled(source)
    expect(await text(source, id)).toBe('# Open\n\nseen')
  })

  it('shows how far a long document is: its pages, then its passages', async () => {
    const service = await startService()
    const { make, upload, settled } = knowledge(service)
    const source = await make()
    const latest = async () => (await service.get(`/knowledge-sources/${source}/syncs`)).body.data[0]
    const shown: Json[] = []
    const pause = (done: number, total: number) => async (onProgress: (done: number, total: number) => void) => {
      const reading = await until(async () => {
        onProgress(done, total)
        return (await latest()).reading.find((each: Json) => each.total === total)
      })
      shown.push(reading)
    }
    pausedParser(service, { read: pause(120, 231), prepare: pause(500, 1700) })
    const [document] = (await upload(source, { 'long.pdf': makePdf(['One.', 'Two.']) })).body.data
    const common = { document_id: document.id, name: 'long.pdf' }
    expect((await settled(source)).reading).toEqual([])
    expect(shown).toEqual([
      { ...common, unit: 'pages', done: 120, total: 231 },
      { ...common, unit: 'passages', done: 500, total: 1700 },
    ])
  })

  it('retries after an index failed', async () => {
    const service = await startService()
    const indexer = watchedIndexer(service)
    const { make, upload, settled } = knowledge(service)
    const source = await make()
    let left = 2
    indexer.before(() => {
      if (left-- > 0) throw new Error('the index is not there')
    })
    await upload(source, { 'a.txt': 'a', 'b.txt': 'b' })
    expect(await settled(source)).toMatchObject({ status: 'completed', documents: { total: 2, added: 2, failed: 0 } })
  })

  it('fails with a reason if no document could be read', async () => {
    const service = await startService()
    const indexer = watchedIndexer(service)
    const { make, upload, settled, sync } = knowledge(service)
    const source = await make()
    const locked = makePdf(['x'], { encrypted: true })
    await upload(source, { 'locked.pdf': locked })
    const failed = await settled(source)
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('password') })
    const { data } = (await service.get(`/knowledge-sources/${source}`)).body
    expect(data).toMatchObject({ status: 'error', status_message: failed.error, last_sync: null })
    await upload(source, { 'good.txt': 'good' })
    expect(await settled(source)).toMatchObject({ status: 'completed', documents: { total: 2, added: 1, failed: 1 } })
    expect((await service.get(`/knowledge-sources/${source}`)).body.data).toMatchObject({
      status: 'active',
      status_message: null,
    })
    expect((await sync(source)).documents).toMatchObject({ total: 2, unchanged: 1, failed: 1 })
    expect(indexer.puts).toEqual(['good.txt'])
  })

  it('is interrupted by a stop and resumed by the next start', async () => {
    const service = await startService({ own: true })
    let indexer = watchedIndexer(service)
    const { make, upload } = knowledge(service)
    const source = await make()
    const gate = makeGate()
    indexer.before(({ label }) => (label === 'b.txt' ? gate.opened : undefined))
    await upload(source, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    const row = async (): Promise<Json> => (await service.get(`/knowledge-sources/${source}/syncs`)).body.data[0]
    const { id } = await until(async () => {
      const sync = await row()
      return sync.documents.added === 2 && sync
    })
    const closed = service.close(30_000) // stops the sync at once, then waits for the document in work
    gate.open()
    await closed
    const again = await startOn(service.environment)
    indexer = watchedIndexer(again)
    const done = await knowledge(again).settled(source)
    expect(done).toMatchObject({ id, status: 'completed', documents: { total: 3, added: 3, unchanged: 0, failed: 0 } })
    expect(indexer.puts.filter((name) => name !== 'b.txt')).toEqual([])
  })

  it('runs once at a time, shows its progress and publishes an event at its end', async () => {
    const { feature, events } = eventListener()
    const service = await startService({ features: [feature] })
    const indexer = watchedIndexer(service)
    const { make, upload, settled } = knowledge(service)
    const source = await make()
    const gate = makeGate()
    indexer.before(({ label }) => (label === 'slow.txt' ? gate.opened : undefined))
    await upload(source, { 'quick.txt': 'q', 'slow.txt': 's' }, { query: '?sync=false' })
    const started = await service.post(`/knowledge-sources/${source}/sync`)
    expect([started.status, started.body.data.status, started.body.data.finished_at]).toEqual([200, 'running', null])
    const second = await service.post(`/knowledge-sources/${source}/sync`)
    expect([second.status, second.body.code]).toEqual([409, 'already_running'])
    const progress = await until(async () => {
      const { data } = (await service.get(`/knowledge-sources/${source}/syncs/${started.body.data.id}`)).body
      return data.documents.added === 1 && data
    })
    expect(progress.status).toBe('running')
    // Documents uploaded during the sync are read before it ends.
    await upload(source, { 'late.txt': 'l' })
    gate.open()
    expect((await settled(source)).documents).toMatchObject({ total: 3, added: 3, unchanged: 0, failed: 0 })
    expect((await service.get(`/knowledge-sources/${source}/syncs`)).body.pagination.total).toBe(1)
    const told = events.filter((event) => event.type === 'knowledge_source.synced')
    expect(told).toHaveLength(1)
    expect(told[0]?.data).toMatchObject({
      knowledge_source: { id: source, status: 'active' },
      sync: { id: started.body.data.id, status: 'completed', documents: { added: 3 } },
    })
  })

  it('leaves the clean-up of documents that are deleted meanwhile to one job at its end', async () => {
    const service = await startService({ own: true })
    const indexer = watchedIndexer(service)
    const { make, upload, settled, documents } = knowledge(service)
    const source = await make()
    const gate = makeGate()
    indexer.before(() => gate.opened)
    const names = Array.from({ length: 100 }, (_, at) => `${at}.txt`)
    // Reading the folder of the source for each document would take longer with each of the others.
    const list = vi.spyOn(service.ctx.files, 'list')
    const timesListed = () => list.mock.calls.filter(([folder]) => folder[1] === source).length
    await upload(source, Object.fromEntries(names.map((name) => [name, name])))
    await until(() => indexer.puts.length > 0)
    const [kept, putBack, ...others] = await documents(source)
    for (const { id } of [putBack, ...others]) {
      expect((await service.remove(`/knowledge-sources/${source}/documents/${id}`)).status).toBe(200)
    }
    const cleanUps = () =>
      service.ctx.db.selectFrom('job').select('status').where('queue', '=', 'knowledge-sources.clean-up').execute()
    expect(await cleanUps()).toEqual([])
    expect(timesListed()).toBe(0)
    expect((await documents(source)).map(({ id }) => id)).toEqual([kept.id])
    // A process that dies in the middle of a sync can leave this behind.
    indexer.held.set(putBack.id, { ...putBack, sourceId: source })
    gate.open()
    expect((await settled(source)).status).toBe('completed')
    await until(async () => (await cleanUps()).every(({ status }) => status === 'completed'))
    expect(await cleanUps()).toHaveLength(1)
    expect(timesListed()).toBe(1)
    expect([...indexer.held.keys()]).toEqual([kept.id])
    expect(await service.ctx.db.selectFrom('knowledge_deletion').selectAll().execute()).toEqual([])
  })
})

describe('a text source', () => {
  it('is synced when it is created and when it is changed', async () => {
    const service = await startService()
    const indexer = watchedIndexer(service)
    const { make, settled, documents, text } = knowledge(service)
    const faq = [
      { title: 'FAQ', content: '# Returns\n\nWithin 30 days.', metadata: { lang: 'en', year: 2024 } },
      { title: 'FAQ', content: 'Another page of the same title.' },
      { title: '%PDF-1.7', content: '<html>%PDF-1.7 is how a file begins</html>' },
    ]
    const source = await make({ type: 'text', configuration: { documents: faq } })
    expect(await settled(source)).toMatchObject({ status: 'completed', documents: { total: 3, added: 3 } })
    const [third, first, second] = (await documents(source)).sort(
      (a: Json, b: Json) => a.name.localeCompare(b.name) || (b.metadata.year ?? 0) - (a.metadata.year ?? 0),
    )
    expect(first).toMatchObject({ name: 'FAQ', status: 'indexed', metadata: { lang: 'en', year: 2024 } })
    expect(await text(source, second.id)).toBe('Another page of the same title.')
    expect(await text(source, third.id)).toBe('<html>%PDF-1.7 is how a file begins</html>')
    expect((await service.get(`/knowledge-sources/${source}`)).body.data.configuration.documents).toEqual(faq)

    indexer.puts.length = 0
    const changed = [faq[0], { title: 'New', content: 'New text.' }, { title: 'Empty', content: ' ' }]
    const put = await service.put(`/knowledge-sources/${source}`, { configuration: { documents: changed } })
    expect(put.body.data.status).toBe('syncing')
    const sync = await settled(source)
    expect(sync.documents).toEqual({ total: 3, added: 1, updated: 0, removed: 2, unchanged: 1, failed: 1 })
    expect(indexer.puts).toEqual(['New'])
    expect(indexer.removed.sort()).toEqual([second.id, third.id].sort())

    indexer.puts.length = 0
    const relabelled = [{ ...faq[0], metadata: { lang: 'de' } }, changed[1]]
    await service.put(`/knowledge-sources/${source}`, { configuration: { documents: relabelled } })
    expect((await settled(source)).documents).toMatchObject({ updated: 1, unchanged: 1, removed: 1 })
    expect(indexer.held.get(first.id)?.metadata).toMatchObject({ lang: 'de', title: 'Returns' })

    await service.remove(`/knowledge-sources/${source}/documents/${first.id}`)
    const { configuration } = (await service.get(`/knowledge-sources/${source}`)).body.data
    expect(configuration.documents).toEqual([changed[1]])
    expect(indexer.held.has(first.id)).toBe(false)
  })
})
