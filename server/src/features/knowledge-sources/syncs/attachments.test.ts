import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMail, makePdf } from '@parley/documents/testing'
import { makePng } from '@parley/documents/testing/pictures'
import { afterAll, describe, expect, it } from 'vitest'
import { type Json, startService } from '../../../../test/harness.ts'
import { knowledge } from '../../../../test/knowledge.ts'
import { watchedIndexer } from '../../../../test/watched-indexer.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-mails-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const environment = { DIRECTORY_ROOTS: root }
const start = () => startService({ environment, shared: true })

const named = (documents: Json[]) => Object.fromEntries(documents.map((document) => [document.name, document]))

describe('an attachment of a mail', () => {
  it('is a document with the metadata and the access of the mail', async () => {
    const service = await start()
    const { make, upload, settled, documents, text } = knowledge(service)
    const source = await make()
    const forwarded = makeMail('Inner words.', { 'deep.md': '# Deep' })
    const attachments = {
      'prices.pdf': makePdf(['Tea costs three.']),
      'fwd.eml': forwarded,
      'scan.png': makePng(),
      'photo.zip': 'PK\x03\x04',
    }
    const fields = { metadata: '{"year":2024}', access: '{"groups":["sales"]}' }
    const uploaded = await upload(source, { 'offer.eml': makeMail('See the prices.', attachments) }, { fields })
    expect(uploaded.body.data.map(({ name }: Json) => name)).toEqual(['offer.eml'])
    const sync = await settled(source)
    expect([sync.status, sync.documents]).toMatchObject(['completed', { total: 5, added: 5, failed: 0 }])
    const all = named(await documents(source))
    expect(Object.keys(all).sort()).toEqual([
      'offer.eml',
      'offer.eml/fwd.eml',
      'offer.eml/fwd.eml/deep.md',
      'offer.eml/prices.pdf',
      'offer.eml/scan.png',
    ])
    const { 'offer.eml': mail, 'offer.eml/prices.pdf': prices, 'offer.eml/fwd.eml/deep.md': deep } = all
    expect(prices).toMatchObject({
      status: 'indexed',
      media_type: 'application/pdf',
      pages: 1,
      parent_id: mail.id,
      metadata: { year: 2024, attachment_of: 'offer.eml' },
      access: { groups: ['sales'], users: [] },
    })
    expect(deep).toMatchObject({ parent_id: mail.id, metadata: { attachment_of: 'offer.eml/fwd.eml' } })
    expect(mail.parent_id).toBeNull()
    expect(await text(source, prices.id)).toContain('Tea costs three.')
    expect(await text(source, all['offer.eml/scan.png'].id)).toBe('Green tea is brewed\nat eighty degrees.')
    const path = `/knowledge-sources/${source}/documents`
    const { warnings } = (await service.get(`${path}/${mail.id}/content`)).body.data
    expect(warnings).toEqual([expect.stringMatching(/^The attachment photo\.zip was left out: .*zip/)])
    const { data } = (await service.get(`${path}?parent_id=${mail.id}`)).body
    expect(data).toHaveLength(4)

    const stranger = { token: await service.tokenFor('viewer') }
    const seller = { token: await service.tokenFor('viewer', { groups: ['sales'] }) }
    expect((await service.get(`${path}/${prices.id}`, stranger)).status).toBe(404)
    expect((await service.get(`${path}/${prices.id}`, seller)).status).toBe(200)
    await service.put(`${path}/${mail.id}`, { access: null })
    expect((await service.get(`${path}/${prices.id}`, stranger)).status).toBe(200)
    const refused = await service.put(`${path}/${prices.id}`, { access: { groups: ['x'] } })
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('offer.eml')])
    await service.put(`/knowledge-sources/${source}`, {
      access_rules: [{ path: '*.eml', access: { groups: ['sales'] } }],
    })
    expect((await service.get(`${path}/${deep.id}`, stranger)).status).toBe(404)
    const why = (await service.get(`${path}/${deep.id}/access?groups=sales`)).body.data
    expect(why).toEqual({ allowed: true, because: expect.stringContaining('as of offer.eml: rule 1') })
    expect((await service.get(`${path}/${prices.id}/file`)).body.error).toContain('attachment')
  })

  it('is kept, replaced and removed with its mail', async () => {
    const service = await start()
    const { make, upload, settled, sync, documents } = knowledge(service)
    const indexer = watchedIndexer(service)
    const source = await make()
    const send = (attachments: Record<string, string>) => upload(source, { 'a.eml': makeMail('Words', attachments) })
    await send({ 'one.txt': 'one', 'two.txt': 'two' })
    await settled(source)
    expect((await sync(source)).documents).toMatchObject({ total: 3, added: 0, unchanged: 3, removed: 0 })
    await send({ 'two.txt': 'two', 'three.txt': 'three' })
    expect((await settled(source)).documents).toMatchObject({
      total: 3,
      added: 1,
      updated: 1,
      unchanged: 1,
      removed: 1,
    })
    expect(indexer.puts.sort()).toEqual(['a.eml', 'a.eml', 'a.eml/one.txt', 'a.eml/three.txt', 'a.eml/two.txt'])
    expect((await sync(source)).documents).toMatchObject({ total: 3, unchanged: 3 })
    const all = named(await documents(source))
    const three = all['a.eml/three.txt']
    await service.post(`/knowledge-sources/${source}/documents/${three.id}/sync`)
    await settled(source)
    expect(indexer.puts.slice(-2)).toEqual(['a.eml/three.txt', 'a.eml'])
    expect(Object.keys(named(await documents(source))).sort()).toEqual(Object.keys(all).sort())
    await service.remove(`/knowledge-sources/${source}/documents/${all['a.eml'].id}`)
    expect(await documents(source)).toEqual([])
    expect([...indexer.held.keys()]).toEqual([])
  })

  it('is read of the mails of a folder, if the source accepts its type', async () => {
    const service = await start()
    const { make, sync, documents } = knowledge(service)
    mkdirSync(join(root, 'mails'))
    const path = join(root, 'mails', 'b.eml')
    writeFileSync(path, makeMail('Words', { 'one.txt': 'one', 'two.csv': 'a,b\n1,2' }))
    const configuration = { path: 'mails', file_types: ['eml', 'txt'] }
    const source = await make({ type: 'directory', configuration })
    expect((await sync(source)).documents).toMatchObject({ total: 2, added: 2 })
    const [mail] = await documents(source)
    const { warnings } = (await service.get(`/knowledge-sources/${source}/documents/${mail.id}/content`)).body.data
    expect(warnings).toEqual(['The attachment two.csv was left out: The source accepts eml, txt.'])
    writeFileSync(path, makeMail('Other words'))
    expect((await sync(source)).documents).toMatchObject({ total: 1, updated: 1, removed: 1 })
    rmSync(path)
    expect((await sync(source)).documents).toMatchObject({ total: 0, removed: 1 })
  })
})
