import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { makeDocx, makePdf, makeZip, wordParagraph } from '@parley/documents/testing'
import { pdfWithForms, pdfWithPageCount } from '@parley/documents/testing/hostile'
import { describe, expect, it } from 'vitest'
import { freshEnvironment, type Json, startOn, startService, until, type Workspace } from '../../../../test/harness.ts'
import { knowledge } from '../../../../test/knowledge.ts'
import { watchedIndexer } from '../../../../test/watched-indexer.ts'
import type { FilePath } from '../../../kernel/files/files.ts'
import { receiveForm } from '../../../kernel/http/multipart.ts'
import { hour } from '../../../kernel/time.ts'

/** The stored files of a workspace, and files that are just being received. */
const listFiles = ({ ctx, workspace }: Workspace): string[] =>
  ['incoming', workspace]
    .map((name) => join(ctx.config.dataDir, 'files', name))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** A zip whose first entry claims to unpack to two gigabytes. */
function declaredLarger(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip)
  bytes.writeUInt32LE(0x7fffffff, bytes.indexOf('PK\x01\x02') + 24)
  return bytes
}

const makeForm = (parts: string[]): string => `${parts.map((part) => `--cut\r\n${part}\r\n`).join('')}--cut--\r\n`
const filePart = (name: string, content: string): string =>
  `Content-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}`
const multipart = { 'content-type': 'multipart/form-data; boundary=cut' }

describe('an upload', () => {
  it('gets a safe name', async () => {
    const service = await startService()
    const { make } = knowledge(service)
    const source = await make()
    let files = 0
    const named = async (name: string) => {
      const raw = Buffer.from(makeForm([filePart(name, `the text of file ${++files}`)]))
      const { status, body } = await service.ask('POST', `/knowledge-sources/${source}/documents?sync=false`, {
        raw,
        headers: multipart,
      })
      return status === 201 ? body.data[0].name : body
    }
    expect(await named('../../etc/passwd')).toBe('passwd')
    expect(await named('/etc/shadow.txt')).toBe('shadow.txt')
    expect(await named('C:\\Users\\me\\notes.txt')).toBe('notes.txt')
    expect(await named('..')).toBe('unnamed')
    expect(await named('nul\0l.txt')).toBe('null.txt')
    expect(await named('CON.txt')).toBe('_CON.txt')
    expect(await named('aux')).toBe('_aux')
    expect(await named('Ärger & Öl: 100%.txt')).toBe('Ärger & Öl: 100%.txt')
    expect(await named('invoice\u202efdp.txt')).toBe('invoicefdp.txt')
    expect(await named('2024/../../report.txt')).toBe('report.txt')
    const long = await named(`${'x'.repeat(300)}.txt`)
    expect([long.length, /x-[0-9a-f]{8}\.txt$/.test(long)]).toEqual([200, true])
    expect(await named(`${'x'.repeat(300)}y.txt`)).not.toBe(long)
    for (const path of listFiles(service)) expect(path).toMatch(/\/wsp_\w+\/src_\w+\/doc_\w+\.[0-9a-f]{32}$/)
  })

  it('has the type of its content, not of its name', async () => {
    const service = await startService()
    const { make, upload, documents } = knowledge(service)
    const source = await make({ configuration: { file_types: ['pdf', '.MD', 'py'] } })
    const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1')
    const refused: Record<string, string | Uint8Array>[] = [
      { 'picture.pdf': png },
      { 'text.pdf': 'This is only text.' },
      { 'archive.pdf': makeZip({ 'a.txt': 'x' }) },
      { 'script.js': 'let x = 1' },
      { 'other.txt': 'x', 'bad.txt': 'not taken here' },
    ]
    for (const files of refused) {
      const { status, body } = await upload(source, files)
      expect([Object.keys(files), status, body.code]).toEqual([Object.keys(files), 400, 'unsupported_file_type'])
      expect(body.error).toContain(Object.keys(files)[0])
    }
    expect(listFiles(service)).toEqual([])
    expect(await documents(source)).toEqual([])
    const disguised = await upload(source, { 'really-a-pdf.md': makePdf(['Hello']), 'x.md': '# Hi', 'y.py': 'x = 1' })
    expect(disguised.body.data.map((document: { media_type: string }) => document.media_type)).toEqual([
      'application/pdf',
      'text/markdown',
      'text/plain',
    ])
  })

  it('gives each file a status of its own, and takes those that it can', async () => {
    const service = await startService()
    const { make, upload, documents, settled, sync, text } = knowledge(service)
    const source = await make({ configuration: { max_file_size: 100_000, file_types: ['txt', 'pdf'] } })
    const files = {
      'empty.txt': '',
      'small.txt': 'small',
      'large.txt': 'x'.repeat(3_000_000),
      'page.md': '# Hi',
      'packed.pdf': Buffer.from('\x1f\x8b\x08', 'latin1'),
      'last.txt': 'last',
    }
    const failures = {
      'empty.txt': 'empty.txt is empty.',
      'large.txt': 'large.txt is larger than the limit of this source (100000 bytes).',
      'page.md': 'page.md is of type md; this source accepts txt, pdf.',
      'packed.pdf': expect.stringContaining('This is a gzip archive.'),
    }
    const { status, body } = await upload(source, files)
    expect(status).toBe(201)
    const found = (rows: Json[]) => Object.fromEntries(rows.map(({ name, status, error }) => [name, error ?? status]))
    expect(found(body.data)).toEqual({ 'small.txt': 'pending', 'last.txt': 'pending', ...failures })
    expect(body.data.map(({ name }: Json) => name)).toEqual(Object.keys(files))
    expect(await settled(source)).toMatchObject({ status: 'completed', documents: { total: 6, added: 2, failed: 4 } })
    await sync(source)
    const stored = { 'small.txt': 'indexed', 'last.txt': 'indexed', ...failures }
    expect(found(await documents(source))).toEqual(stored)
    expect(listFiles(service)).toHaveLength(2)

    const again = (await upload(source, { 'small.txt': '', 'empty.txt': 'no longer', 'new.txt': 'new' })).body.data
    expect(found(again)).toEqual({ 'small.txt': 'small.txt is empty.', 'empty.txt': 'pending', 'new.txt': 'pending' })
    await settled(source)
    expect(found(await documents(source))).toEqual({ ...stored, 'empty.txt': 'indexed', 'new.txt': 'indexed' })
    expect(await text(source, again[0].id)).toBe('small')
  })

  it('is rejected if none of its files can be taken, and leaves no files', async () => {
    const service = await startService()
    const { make, upload, documents } = knowledge(service)
    const source = await make({ configuration: { max_file_size: 100_000 } })
    const large = await upload(source, { 'large.txt': 'x'.repeat(5_000_000) })
    expect([large.status, large.body.code]).toEqual([413, 'file_too_large'])
    expect(large.body.error).toContain('large.txt')
    const empty = await upload(source, { 'empty.txt': '' })
    expect([empty.status, empty.body.code, empty.body.error]).toEqual([400, 'invalid_request', 'empty.txt is empty.'])
    const both = await upload(source, { 'empty.txt': '', 'packed.gz': Buffer.from('\x1f\x8b\x08', 'latin1') })
    expect([both.status, both.body.code, both.body.details.map(({ path }: Json) => path)]).toEqual([
      400,
      'invalid_request',
      ['empty.txt', 'packed.gz'],
    ])
    expect(listFiles(service)).toEqual([])
    expect(await documents(source)).toEqual([])
    expect((await upload(source, { 'edge.txt': 'x'.repeat(100_000) })).status).toBe(201)
  })

  it('is rejected if it is not a valid form', async () => {
    const service = await startService()
    const { make } = knowledge(service)
    const source = await make()
    const path = `/knowledge-sources/${source}/documents`
    const send = async (raw: string, headers: Record<string, string> = multipart) => {
      const { status, body } = await service.ask('POST', path, { raw, headers })
      return [status, body.code]
    }
    expect(await send('{}', {})).toEqual([415, 'unsupported_media_type'])
    expect((await service.post(path)).status).toBe(415)
    expect(await send('x', { 'content-type': 'multipart/form-data' })).toEqual([400, 'invalid_request'])
    expect(await send('no form at all')).toEqual([400, 'invalid_request'])
    expect(await send(makeForm([]))).toEqual([400, 'invalid_request'])
    expect(await send(makeForm([filePart('a.txt', 'text')]).slice(0, -20))).toEqual([400, 'invalid_request'])
    const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
    expect(await send(makeForm([filePart('a.txt', 'text'), field('colour', 'red')]))).toEqual([400, 'invalid_request'])
    expect(await send(makeForm([filePart('a.txt', 'text'), field('metadata', '{')]))).toEqual([400, 'invalid_request'])
    expect(await send(makeForm([filePart('a.txt', 'text'), field('metadata', '{"a":{"b":1}}')]))).toEqual([
      400,
      'invalid_request',
    ])
    for (const odd of ['{"a":1e999}', '{"a":[-1e999]}', '[1]', '{"a":"x\\u0000"}']) {
      const answer = await send(makeForm([filePart('a.txt', 'text'), field('metadata', odd)]))
      expect([odd, ...answer]).toEqual([odd, 400, 'invalid_request'])
    }
    expect(await send(makeForm([field('file', 'no file name')]))).toEqual([400, 'invalid_request'])
    expect(listFiles(service)).toEqual([])
    const text = await make({ type: 'text' })
    const elsewhere = await service.ask('POST', `/knowledge-sources/${text}/documents`, {
      raw: makeForm([filePart('a.txt', 'text')]),
      headers: multipart,
    })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'invalid_request'])
  })

  it('that is interrupted leaves no files', async () => {
    const service = await startService()
    const { make, upload, documents } = knowledge(service)
    const source = await make()
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const whole = makeForm([filePart('first.txt', 'whole'), filePart('second.txt', 'x'.repeat(3_000_000))])
    socket.write(
      `POST /api/knowledge-sources/${source}/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}\r\n` +
        `Content-Type: ${multipart['content-type']}\r\nContent-Length: ${whole.length}\r\n\r\n${whole.slice(0, 1_000_000)}`,
    )
    await until(() => listFiles(service).length > 1)
    socket.destroy()
    await until(() => listFiles(service).length === 0)
    expect(await documents(source)).toEqual([])
    expect((await upload(source, { 'after.txt': 'works' })).status).toBe(201)
    const gone = new PassThrough().destroy() // the client left before anything was read
    await once(gone, 'close')
    await expect(receiveForm(service.ctx.files, multipart, gone, 1)).rejects.toThrow('ended before it was complete')
  })

  it('of an existing name keeps or replaces the document', async () => {
    const service = await startService()
    const { make, upload, settled, documents, text, sync } = knowledge(service)
    const source = await make()
    const first = (await upload(source, { 'a.txt': 'one' }, { fields: { metadata: '{"year":2024,"tag":["x"]}' } })).body
    await settled(source)
    const again = (await upload(source, { 'a.txt': 'one' })).body.data[0]
    expect(again).toMatchObject({ id: first.data[0].id, status: 'indexed', metadata: { year: 2024, tag: ['x'] } })
    expect((await settled(source)).documents.added).toBe(1)

    const changed = (await upload(source, { 'a.txt': 'two' }, { query: '?sync=false' })).body.data[0]
    expect(changed).toMatchObject({ id: again.id, status: 'pending', size: 3, metadata: { year: 2024 } })
    expect(changed.sha256).not.toBe(again.sha256)
    expect(await text(source, again.id)).toBe('one')
    expect((await sync(source)).documents).toMatchObject({ total: 1, added: 0, updated: 1, unchanged: 0 })
    expect(await text(source, again.id)).toBe('two')
    expect(listFiles(service)).toHaveLength(1)
    const labelled = { query: '?sync=false', fields: { metadata: '{"month":5}' } }
    expect((await upload(source, { 'a.txt': 'two' }, labelled)).body.data[0].metadata).toEqual({ month: 5 })
    await sync(source)
    expect((await documents(source))[0].metadata).toEqual({ month: 5 })

    const copy = (await upload(source, { 'b.txt': 'two' })).body.data[0]
    expect(copy.id).not.toBe(again.id)
    await settled(source)
    expect(await documents(source)).toHaveLength(2)

    const bad = (await upload(source, { 'a.txt': makePdf(['x'], { encrypted: true }) })).body.data[0]
    await settled(source)
    const failed = (await service.get(`/knowledge-sources/${source}/documents/${bad.id}`)).body.data
    expect(failed).toMatchObject({ id: again.id, status: 'failed', error: expect.stringContaining('password') })
    expect(await text(source, again.id)).toBe('two')
  })

  it('stores every file of a form, also those of equal names', async () => {
    const service = await startService()
    const { make, settled, documents, text } = knowledge(service)
    const source = await make()
    const send = async (...parts: string[]) => {
      const path = `/knowledge-sources/${source}/documents`
      const answer = await service.ask('POST', path, { raw: makeForm(parts), headers: multipart })
      await settled(source)
      return answer.body.data
    }
    const parts = (newest = 'four') => [
      filePart('2023/report.txt', 'one'),
      filePart('2024/report.txt', 'two'),
      filePart('n.txt', 'three'),
      filePart('n.txt', newest),
      filePart('n (2).txt', 'five'),
    ]
    const first = await send(...parts())
    const names = ['report.txt', 'report (2).txt', 'n.txt', 'n (3).txt', 'n (2).txt']
    expect(first.map(({ name }: Json) => name)).toEqual(names)
    const texts = await Promise.all(first.map(({ id }: Json) => text(source, id)))
    expect(texts).toEqual(['one', 'two', 'three', 'four', 'five'])
    const again = await send(...parts('changed'))
    expect(again.map(({ id }: Json) => id)).toEqual(first.map(({ id }: Json) => id))
    expect(await text(source, first[3].id)).toBe('changed')
    expect(await documents(source)).toHaveLength(5)
  })

  it('with an idempotency key is stored once, whatever its boundary', async () => {
    const service = await startService()
    const { make, upload, documents } = knowledge(service)
    const source = await make()
    const headers = { 'idempotency-key': 'once' }
    const first = await upload(source, { 'a.txt': 'one' }, { headers })
    const again = await upload(source, { 'a.txt': 'one' }, { headers })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
    const other = await upload(source, { 'a.txt': 'two' }, { headers })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
    expect(await documents(source)).toHaveLength(1)
    await until(() => listFiles(service).length === 1)
  })

  it('needs permission to write, and other workspaces do not find the source', async () => {
    const service = await startService()
    const { make, upload } = knowledge(service)
    const source = await make()
    expect((await upload(source, { 'a.txt': 'x' }, { token: await service.tokenFor('viewer') })).status).toBe(403)
    const other = (await service.post('/workspaces', { name: 'Other' })).body.data.id
    expect((await upload(source, { 'a.txt': 'x' }, { headers: { 'x-workspace': other } })).status).toBe(404)
    expect(listFiles(service)).toEqual([])
  })

  it('is synced, also if many are sent at once', async () => {
    const service = await startService()
    const { make, upload, settled, documents } = knowledge(service)
    const source = await make()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => upload(source, { [`${index}.txt`]: `text ${index}` })),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(201))
    await settled(source)
    expect((await documents(source)).map((document) => document.status)).toEqual(Array(12).fill('indexed'))
  })

  it('that cannot be parsed fails on its own with a reason', async () => {
    const service = await startService()
    watchedIndexer(service)
    const { make, upload, settled, documents } = knowledge(service)
    const source = await make()
    const files = {
      'good.docx': makeDocx(wordParagraph('Readable text.')),
      'locked.pdf': makePdf(['x'], { encrypted: true }),
      'bomb.docx': declaredLarger(makeDocx(wordParagraph('Boom.'))),
      'cut.docx': makeDocx(wordParagraph('Cut.')).subarray(0, 300),
      'broken.pdf': '%PDF-1.7\nnothing of a PDF follows',
      'scan.pdf': makePdf(['']),
      'nested.pdf': pdfWithForms(24, 10),
      'pages.pdf': pdfWithPageCount(300_000),
      'right-to-left.txt': 'שלום עולם \u0301\u0301\u0301 مرحبا',
      'deep.html': `<html><body>${'<div>'.repeat(50_000)}deep`,
      'one-line.txt': 'word '.repeat(100_000),
    }
    expect((await upload(source, files)).status).toBe(201)
    const sync = await settled(source)
    const found = Object.fromEntries(
      (await documents(source)).map(({ name, status, error }) => [name, [status, error]]),
    )
    expect(found).toEqual({
      'good.docx': ['indexed', null],
      'locked.pdf': ['failed', expect.stringMatching(/password/)],
      'bomb.docx': ['failed', expect.stringMatching(/unpack to more/)],
      'cut.docx': ['failed', expect.stringMatching(/damaged/)],
      'broken.pdf': ['failed', expect.stringMatching(/damaged|no pages/i)],
      'scan.pdf': ['failed', expect.stringMatching(/OCR|text/)],
      'nested.pdf': ['failed', expect.stringMatching(/nests its graphics/)],
      'pages.pdf': ['failed', expect.stringMatching(/300,000 pages/)],
      'right-to-left.txt': ['indexed', null],
      'deep.html': ['indexed', null],
      'one-line.txt': ['indexed', null],
    })
    expect(sync).toMatchObject({ status: 'completed', documents: { total: 11, added: 4, failed: 7 } })
    expect((await service.get(`/knowledge-sources/${source}`)).body.data.status).toBe('active')
  }, 300_000)

  it('is removed from the disk and the database when its document or its source is deleted', async () => {
    const service = await startService()
    const { make, upload, settled, documents } = knowledge(service)
    const { ctx, get, remove } = service
    const source = await make()
    await upload(source, { 'a.txt': 'one', 'b.txt': 'two' })
    await settled(source)
    const [first, second] = await documents(source)
    const path = `/knowledge-sources/${source}/documents/${first.id}`
    const changed = await remove(path, { headers: { 'if-match': '"999"' } })
    expect([changed.status, changed.body.code]).toEqual([412, 'precondition_failed'])
    const etag = (await get(path)).headers.get('etag') ?? ''
    expect((await remove(path, { headers: { 'if-match': etag } })).status).toBe(200)
    expect((await get(`/knowledge-sources/${source}/documents/${first.id}`)).status).toBe(404)
    expect((await get(`/knowledge-sources/${source}/documents/${first.id}/content`)).status).toBe(404)
    expect((await remove(`/knowledge-sources/${source}/documents/${first.id}`)).status).toBe(404)
    expect(listFiles(service).map((path) => path.includes(second.id))).toEqual([true])
    expect((await remove(`/knowledge-sources/${source}`)).status).toBe(200)
    expect(listFiles(service)).toEqual([])
    for (const table of ['knowledge_document', 'knowledge_text', 'knowledge_sync'] as const) {
      const rows = ctx.db.selectFrom(table).selectAll().where('workspace_id', '=', service.workspace)
      expect(await rows.execute()).toEqual([])
    }
  })

  it('of no document is removed after an hour by the clock of all nodes', async () => {
    const service = await startOn(
      { ...(await freshEnvironment()), ADMIN_TOKEN: 'the-owner' },
      { now: () => Date.now() + 2 * hour },
    )
    const { db, files, jobs } = service.ctx
    const { make, upload } = knowledge(service)
    await upload(await make(), { 'a.txt': 'one' }, { query: '?sync=false' })
    const paths = async () => {
      const found: FilePath[] = []
      for await (const { path } of files.list([])) found.push(path)
      return found
    }
    const [kept = []] = await paths()
    const file = await files.receive(new Blob(['half']).stream(), 100)
    await files.keep(file, [...kept.slice(0, 2), `doc_1.${'0'.repeat(32)}`])
    await db.transaction().execute((tx) => jobs.enqueue(tx, 'knowledge-sources.sweep', { workspace: null }))
    await until(async () => (await paths()).length === 1)
    expect(await paths()).toEqual([kept])
  })

  it('shows a range of its text with pages and headings', async () => {
    const service = await startService()
    const { make, upload, settled } = knowledge(service)
    const source = await make()
    const pages = makePdf(['First page', 'Second page', 'Third page'])
    const [pdf, md] = (await upload(source, { 'p.pdf': pages, 'h.md': '# One\n\na\n\n## Two\n\nb' })).body.data
    await settled(source)
    const content = async (id: string, query = '') =>
      (await service.get(`/knowledge-sources/${source}/documents/${id}/content${query}`)).body.data
    const whole = await content(pdf.id)
    expect(whole.pages).toHaveLength(3)
    expect((await service.get(`/knowledge-sources/${source}/documents/${pdf.id}`)).body.data.pages).toBe(3)
    const { start, end } = whole.pages[1]
    const part = await content(pdf.id, `?start=${start}&end=${end}`)
    expect(part.text.trim()).toBe('Second page')
    expect(part).toMatchObject({ start, end, length: whole.text.length, pages: [{ number: 2, start, end }] })
    expect((await content(md.id)).headings.map((heading: { title: string }) => heading.title)).toEqual(['One', 'Two'])
    expect((await content(md.id, '?start=9')).headings).toEqual([{ level: 2, title: 'Two', start: 10 }])
    expect(await content(md.id, '?start=900')).toMatchObject({ text: '', pages: [], headings: [] })
  })
})
