import { describe, expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'
import { knowledge } from '../../../test/knowledge.ts'

describe('knowledge sources', () => {
  it('are created, listed and updated', async () => {
    const { get, post, put } = await startService()
    const configuration = { file_types: ['pdf', 'txt', 'md'], max_file_size: 10_485_760 }
    const made = await post('/knowledge-sources', { name: 'Handbook', type: 'file', configuration })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ name: 'Handbook', type: 'file', configuration, status: 'pending' })
    expect(made.body.data).toMatchObject({ last_sync: null, status_message: null, description: null })
    const { id } = made.body.data
    const listed = (await get('/knowledge-sources?type=file&q=hand')).body
    expect(listed.data).toHaveLength(1)
    expect(listed.data[0]).toMatchObject({ id, name: 'Handbook', type: 'file', status: 'pending', last_sync: null })
    const whole = (await get(`/knowledge-sources/${id}`)).body.data
    expect((await put(`/knowledge-sources/${id}`, { ...whole, name: 'Book' })).body.data.name).toBe('Book')
    expect((await put(`/knowledge-sources/${id}`, { type: 'text' })).body.details[0].path).toBe('type')
  })

  it('check their configuration by type and report invalid fields', async () => {
    const { ask, post } = await startService()
    const wrong = async (body: object) => {
      const { status, body: answer } = await post('/knowledge-sources', { name: 'X', ...body })
      return [status, answer.code, answer.details?.[0]?.path]
    }
    const bad = (path: string) => [400, 'invalid_request', path]
    expect(await wrong({ type: 'ftp' })).toEqual(bad('type'))
    expect(await wrong({ type: 'file', configuration: { urls: [] } })).toEqual(bad('configuration.urls'))
    const tooLarge = 512 * 1024 * 1024 + 1 // no larger file can be read
    expect(await wrong({ type: 'file', configuration: { max_file_size: tooLarge } })).toEqual(
      bad('configuration.max_file_size'),
    )
    expect(await wrong({ type: 'file', configuration: { max_file_size: 0 } })).toEqual(
      bad('configuration.max_file_size'),
    )
    expect(await wrong({ type: 'file', configuration: { colour: 1 } })).toEqual(bad('configuration.colour'))
    const unread = { type: 'file', configuration: { file_types: ['pdf', '.EXE'] } }
    expect(await wrong(unread)).toEqual(bad('configuration.file_types[1]'))
    const number = { documents: [{ title: 'x', content: 'x', metadata: { a: 1 } }] }
    const raw = JSON.stringify({ name: 'X', type: 'text', configuration: number }).replace('"a":1', '"a":1e999')
    const infinite = await ask('POST', '/knowledge-sources', { raw })
    expect([infinite.status, infinite.body.details[0].path]).toEqual([400, 'configuration.documents.0.metadata.a'])
    expect(await wrong({ type: 'text', configuration: { documents: [{ title: 'x' }] } })).toEqual(
      bad('configuration.documents[0].content'),
    )
    expect(await wrong({ type: 'web' })).toEqual(bad('configuration.urls'))
    expect(await wrong({ type: 'web', configuration: { urls: ['nonsense'] } })).toEqual(bad('configuration.urls[0]'))
    for (const url of ['http://127.0.0.1/', 'file:///etc/passwd', 'http://user:pass@example.com/']) {
      const answer = await wrong({ type: 'web', configuration: { urls: ['https://example.com', url] } })
      expect([url, ...answer]).toEqual([url, 400, 'egress_blocked', 'configuration.urls[1]'])
    }
    expect(await wrong({ type: 'directory', configuration: { path: '/' } })).toEqual(bad('type'))
  })

  it('sync after an upload', async () => {
    const service = await startService()
    const { make, upload, settled, documents, text } = knowledge(service)
    const source = await make()
    const sent = await upload(source, { 'a.md': '# One\n\nFirst text.', 'b.txt': 'Second text.' })
    expect(sent.status).toBe(201)
    expect(sent.body.data.map((document: { name: string }) => document.name)).toEqual(['a.md', 'b.txt'])
    const sync = await settled(source)
    expect(sync).toMatchObject({
      status: 'completed',
      error: null,
      documents: { total: 2, added: 2, updated: 0, removed: 0, unchanged: 0, failed: 0 },
      chunks: { embedded: expect.any(Number), reused: expect.any(Number), removed: 0 },
    })
    const [first, second] = await documents(source)
    expect(first).toMatchObject({ name: 'a.md', media_type: 'text/markdown', size: 18, status: 'indexed', error: null })
    expect(second).toMatchObject({ name: 'b.txt', media_type: 'text/plain', status: 'indexed' })
    expect(first.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(await text(source, first.id)).toBe('# One\n\nFirst text.')
    const { data } = (await service.get(`/knowledge-sources/${source}`)).body
    expect(data).toMatchObject({ status: 'active', status_message: null, last_sync: sync.finished_at })
  })
})
