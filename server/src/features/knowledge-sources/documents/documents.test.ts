import { makePdf } from '@parley/documents/testing'
import { expect, it } from 'vitest'
import { startService } from '../../../../test/harness.ts'
import { knowledge } from '../../../../test/knowledge.ts'

it('can be downloaded as they were uploaded, and by no browser taken for a page', async () => {
  const service = await startService()
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make()
  const page = '<!doctype html><script>alert(1)</script><p>Green tea is brewed at eighty degrees.</p>'
  await upload(source, { 'Grüner Tee.html': page })
  await settled(source)
  const [document] = await documents(source)
  const file = await fetch(`${service.url}/api/knowledge-sources/${source}/documents/${document.id}/file`, {
    headers: { authorization: `Bearer ${service.token}` },
  })
  expect([file.status, await file.text()]).toEqual([200, page])
  expect(file.headers.get('content-disposition')).toBe(
    `attachment; filename="Gr_ner Tee.html"; filename*=UTF-8''Gr%C3%BCner%20Tee.html`,
  )
  expect(file.headers.get('content-security-policy')).toBe('sandbox')
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')

  const inline = async (name: string) => {
    const { id } = (await documents(source)).find((each) => each.name === name)
    const { headers } = await fetch(
      `${service.url}/api/knowledge-sources/${source}/documents/${id}/file?disposition=inline`,
      { headers: { authorization: `Bearer ${service.token}` } },
    )
    return [headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]]
  }
  await upload(source, { 'tea.pdf': makePdf(['Green tea.']) })
  await settled(source)
  expect(await inline('tea.pdf')).toEqual(['application/pdf', 'inline'])
  expect(await inline('Grüner Tee.html')).toEqual(['text/html', 'attachment'])

  const texts = { documents: [{ title: 'Hours', content: 'We open at nine.' }] }
  const text = await make({ type: 'text', configuration: texts })
  await settled(text)
  const [hours] = await documents(text)
  const path = `/knowledge-sources/${text}/documents/${hours.id}`
  const answer = await fetch(`${service.url}/api${path}/file`, {
    headers: { authorization: `Bearer ${service.token}` },
  })
  expect(await answer.text()).toBe('We open at nine.')
  expect((await service.get(`/knowledge-sources/${source}/documents/${hours.id}/file`)).status).toBe(404)
})

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

it('can be read again one by one', async () => {
  const service = await startService()
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make()
  await upload(source, { 'tea.md': '# Tea\n\nGreen tea.\n', 'bad.pdf': '%PDF-1.7 nothing', 'milk.md': 'Cold milk.' })
  const first = await settled(source)
  expect(first.documents).toMatchObject({ added: 2, failed: 1 })
  const findId = async (name: string) => (await documents(source)).find((each) => each.name === name).id
  const again = async (id: string) => {
    const asked = await service.post(`/knowledge-sources/${source}/documents/${id}/sync`)
    expect([asked.status, asked.body.data.status]).toEqual([200, 'pending'])
    const sync = await settled(source)
    return sync.documents
  }
  expect(await again(await findId('tea.md'))).toMatchObject({ updated: 1, added: 0 })
  expect(await again(await findId('bad.pdf'))).toMatchObject({ failed: 1, updated: 0 })
  expect((await documents(source)).map(({ status }) => status).sort()).toEqual(['failed', 'indexed', 'indexed'])
  expect((await service.post(`/knowledge-sources/${source}/documents/doc_none/sync`)).status).toBe(404)
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
