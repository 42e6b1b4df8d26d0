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
