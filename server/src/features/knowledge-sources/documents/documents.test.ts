import { makePdf } from '@parley/documents/testing'
import { expect, it } from 'vitest'
import { startService } from '../../../../test/harness.ts'
import { knowledge } from '../../../../test/knowledge.ts'

it('say how many of their pages have no text, as their source does', async () => {
  const service = await startService()
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make()
  await upload(source, { 'scan.pdf': makePdf(['One.', '', '']), 'whole.pdf': makePdf(['One.']), 'note.md': 'A note.' })
  await settled(source)
  const counts = (await documents(source)).map(({ name, pages, pages_without_text }) => [
    name,
    pages,
    pages_without_text,
  ])
  expect(counts.sort()).toEqual([
    ['note.md', null, null],
    ['scan.pdf', 3, 2],
    ['whole.pdf', 1, 0],
  ])
  const coverage = async () => (await service.get(`/knowledge-sources/${source}`)).body.data.coverage
  expect(await coverage()).toEqual({ documents: 3, documents_failed: 0, pages: 4, pages_without_text: 2 })
  await upload(source, { 'broken.pdf': '%PDF-1.4 broken' })
  await settled(source)
  expect(await coverage()).toMatchObject({ documents: 4, documents_failed: 1 })
})

it('take other metadata, which searches then filter by', async () => {
  const service = await startService()
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make()
  const content = '# Tea\n\nGreen tea is brewed at eighty degrees.\n'
  await upload(source, { 'tea.md': content }, { fields: { metadata: '{"year":2023,"draft":true}' } })
  await settled(source)
  const [before] = await documents(source)
  const path = `/knowledge-sources/${source}/documents/${before.id}`
  const stale = await service.ask('PUT', path, { body: { metadata: {} }, headers: { 'if-match': '"99"' } })
  expect(stale.status).toBe(412)
  const bad = await service.put(path, { metadata: { year: { deep: 1 } } })
  expect([bad.status, bad.body.details[0].path]).toEqual([400, 'metadata.year'])
  const changed = await service.put(path, { metadata: { year: 2024 } })
  expect(changed.body.data).toMatchObject({ metadata: { year: 2024 }, status: 'pending' })
  expect('draft' in changed.body.data.metadata).toBe(false)
  expect((await settled(source)).documents).toMatchObject({ updated: 1, failed: 0 })
  expect((await service.get(path)).body.data).toMatchObject({ status: 'indexed', metadata: { year: 2024 } })

  const tool = await service.post('/retrieval-tools', { name: 'Tea', knowledge_source_ids: [source] })
  const found = async (year: number) => {
    const query = { query: 'green tea', filters: { year } }
    return (await service.post(`/retrieval-tools/${tool.body.data.id}/search`, query)).body.data.results.length
  }
  expect([await found(2024), await found(2023)]).toEqual([1, 0])

  const texts = { documents: [{ title: 'Hours', content: 'We open at nine.', metadata: { draft: true } }] }
  const text = await make({ type: 'text', configuration: texts })
  await settled(text)
  const [hours] = await documents(text)
  await service.put(`/knowledge-sources/${text}/documents/${hours.id}`, { metadata: { year: 2020 } })
  await settled(text)
  expect((await documents(text))[0]).toMatchObject({ status: 'indexed', metadata: { year: 2020 } })
  const { configuration } = (await service.get(`/knowledge-sources/${text}`)).body.data
  expect(configuration.documents[0].metadata).toEqual({ year: 2020 })
})

it('of a text source are shown in its configuration as they were given', async () => {
  const service = await startService()
  const { make, settled, documents } = knowledge(service)
  const texts = [
    { title: 'FAQ', content: 'First.', metadata: {} },
    { title: 'FAQ', content: 'Second.' },
    { title: 'Hours', content: 'We open at nine.', metadata: { year: 2024 } },
  ]
  const source = await make({ type: 'text', configuration: { documents: texts } })
  const path = `/knowledge-sources/${source}`
  const read = async () => (await service.get(path)).body.data
  expect((await read()).configuration).toEqual({ documents: texts })
  await settled(source)
  expect((await service.get('/knowledge-sources')).body.data[0]).not.toHaveProperty('configuration')

  const renamed = await service.put(path, { name: 'Notes' })
  expect(renamed.body.data.configuration).toEqual({ documents: texts })
  const same = await service.put(path, { configuration: { documents: texts } })
  expect(same.body.data.updated_at).toBe(renamed.body.data.updated_at)
  const turned = texts.toReversed()
  expect((await service.put(path, { configuration: { documents: turned } })).body.data.configuration.documents).toEqual(
    turned,
  )
  const [change] = (await service.get('/audit?action=update&limit=1')).body.data
  expect(change).toMatchObject({ resource_id: source, fields: ['configuration'] })

  await settled(source)
  const [first] = await documents(source)
  await service.remove(`${path}/documents/${first.id}`)
  expect((await read()).configuration.documents).toHaveLength(2)
  expect((await service.put(path, { configuration: {} })).body.data.configuration).toEqual({})
  expect(await settled(source)).toMatchObject({ documents: { total: 0, removed: 2 } })
  expect(await documents(source)).toEqual([])
})
