import { createHash } from 'node:crypto'
import { makeDocx, makePdf, makeXlsx, wordParagraph } from '@parley/documents/testing'
import { makeScan } from '@parley/documents/testing/pictures'
import { expect, it, onTestFinished } from 'vitest'
import { createFile, png, uploadFile } from '../../../../test/attachments.ts'
import { type Service, startService, until } from '../../../../test/harness.ts'
import { startS3 } from '../../../../test/s3.ts'
import { takeServiceLog } from '../../../../test/service-log.ts'
import { day, hour } from '../../../kernel/time.ts'
import { removeUnused, sweepContent } from './store.ts'

const stored = async ({ ctx }: Pick<Service, 'ctx'>, id: string): Promise<string[]> => {
  const names: string[] = []
  for await (const { path } of ctx.files.list(['attachments']))
    if (path.at(-1)?.startsWith(id)) names.push(String(path.at(-1)))
  return names.sort()
}

const fetchContent = ({ url, token }: Pick<Service, 'url' | 'token'>, id: string): Promise<Response> =>
  fetch(`${url}/api/files/${id}/content`, { headers: { authorization: `Bearer ${token}` } })

it('takes files, and gives them back to whoever may see them', async () => {
  const here = await startService()
  const picture = png(30, 20)
  const { status, body } = await uploadFile(here, 'dir/cat.bin', picture, { type: 'text/html' })
  expect([status, body.data]).toEqual([
    201,
    {
      id: expect.stringMatching(/^fil_/),
      name: 'cat.bin',
      media_type: 'image/png',
      size: picture.length,
      sha256: createHash('sha256').update(picture).digest('hex'),
      created_at: expect.any(String),
    },
  ])
  const { id } = body.data
  expect((await here.get(`/files/${id}`)).body.data).toEqual(body.data)
  const content = await fetchContent(here, id)
  expect(Buffer.from(await content.arrayBuffer())).toEqual(picture)
  expect(Object.fromEntries(content.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(picture.length),
    'content-disposition': expect.stringContaining('inline; filename="cat.bin"'),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })

  const scan = await uploadFile(here, 'scan.pdf', Buffer.from(makeScan([null])))
  expect([scan.status, await stored(here, scan.body.data.id)]).toEqual([
    201,
    [scan.body.data.id, `${scan.body.data.id}.text`],
  ])

  const page = await createFile(here, 'page.html', '<!doctype html><script>alert(1)</script><p>Hello page</p>')
  const served = await fetchContent(here, page)
  expect([served.headers.get('content-type'), served.headers.get('content-disposition')]).toEqual([
    'text/html',
    expect.stringContaining('attachment; filename="page.html"'),
  ])

  const [ada, bob] = [await here.tokenFor('user', { user_id: 'ada' }), await here.tokenFor('user', { user_id: 'bob' })]
  const own = await createFile(here, 'notes.txt', 'My notes', { token: ada })
  expect((await here.get(`/files/${own}`, { token: ada })).status).toBe(200)
  expect((await here.get(`/files/${own}`)).status).toBe(200)
  const other = await startService()
  const strangers: [string, Pick<Service, 'ask'>][] = [
    [bob, here],
    [other.token, other],
  ]
  for (const [token, service] of strangers) {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/content'],
      ['DELETE', ''],
    ] as const) {
      const answer = await service.ask(method, `/files/${own}${path}`, { token })
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'not_found'])
    }
  }
  expect(await stored(here, own)).toEqual([own, `${own}.text`])
  expect((await here.remove(`/files/${own}`, { token: ada })).body.message).toBe('The file was deleted.')
  expect((await here.get(`/files/${own}`, { token: ada })).status).toBe(404)
  await until(async () => (await stored(here, own)).length === 0)
})

it('refuses what cannot be used, and says why', async () => {
  const here = await startService()
  const refusals: [name: string, content: string | Uint8Array, status: number, code: string, error: RegExp][] = [
    ['empty.txt', '', 400, 'invalid_request', /empty\.txt is empty/],
    ['cat.png', 'no picture at all', 400, 'invalid_request', /cat\.png is not an image, or damaged/],
    ['cut.jpg', png(3, 3).subarray(0, 20), 400, 'invalid_request', /cut\.jpg is not an image/],
    [
      'broken.pdf',
      '%PDF-1.7\n1 0 obj\n<< /Type /Catalog',
      400,
      'invalid_request',
      /broken\.pdf cannot be read\. The PDF/,
    ],
    [
      'song.mp3',
      'ID3\x03\0\0\0',
      400,
      'unsupported_file_type',
      /song\.mp3 cannot be attached\. .*audio file.*So can images/,
    ],
    ['big.png', png(9, 9, 21 * 1024 * 1024), 413, 'file_too_large', /big\.png is larger than 20 MiB/],
    [
      'huge.txt',
      new Uint8Array(50 * 1024 * 1024 + 1).fill(97),
      413,
      'file_too_large',
      /huge\.txt is larger than 50 MiB/,
    ],
  ]
  for (const [name, content, status, code, error] of refusals) {
    const answer = await uploadFile(here, name, content)
    expect([name, answer.status, answer.body.code]).toEqual([name, status, code])
    expect(answer.body.error).toMatch(error)
  }
  const form = new FormData()
  for (const name of ['a.txt', 'b.txt']) form.append('file', new Blob(['text']), name)
  const headers = { authorization: `Bearer ${here.token}` }
  const two = await fetch(`${here.url}/api/files`, { method: 'POST', headers, body: form })
  expect([two.status, await two.text()]).toEqual([400, expect.stringContaining('must be one file')])
  const json = await here.post('/files', { file: 'x' })
  expect([json.status, json.body.code]).toEqual([415, 'unsupported_media_type'])
  expect(
    await here.ctx.db.selectFrom('file').select('id').where('workspace_id', '=', here.workspace).execute(),
  ).toEqual([])
  for await (const { path } of here.ctx.files.list(['attachments'])) expect(path[1]).not.toBe(here.workspace)
})

it('repeats an upload with the same key only once', async () => {
  const here = await startService()
  const headers = { 'idempotency-key': 'one-upload' }
  const [first, second] = [
    await uploadFile(here, 'a.txt', 'Some text', { headers }),
    await uploadFile(here, 'a.txt', 'Some text', { headers }),
  ]
  expect(second.body.data).toEqual(first.body.data)
  expect((await uploadFile(here, 'a.txt', 'Another', { headers })).body.code).toBe('idempotency_mismatch')
})

it('removes files that no message uses after a day, and content without a file', async () => {
  const here = await startService()
  const [old, young] = [
    await createFile(here, 'old.txt', 'Old text'),
    await createFile(here, 'young.txt', 'Young text'),
  ]
  const before = new Date(here.ctx.now() - day - hour).toISOString()
  await here.ctx.db.updateTable('file').set({ created_at: before }).where('id', '=', old).execute()
  await removeUnused(here.ctx, new Date(here.ctx.now() - day).toISOString())
  expect([(await here.get(`/files/${old}`)).status, (await here.get(`/files/${young}`)).status]).toEqual([404, 200])
  expect([await stored(here, old), await stored(here, young)]).toEqual([[], [young, `${young}.text`]])
  await here.ctx.db.deleteFrom('file').where('id', '=', young).execute()
  await sweepContent(here.ctx, here.ctx.now() - hour)
  expect(await stored(here, young)).toHaveLength(2) // it may belong to an upload that is not stored yet
  const kept = await createFile(here, 'kept.pdf', makePdf(['A page of text']))
  await sweepContent(here.ctx, here.ctx.now() + hour)
  expect([await stored(here, young), await stored(here, kept)]).toEqual([[], [kept, `${kept}.text`]])
})

it('takes small files while large ones are read, and reads large ones by turns of people', async () => {
  const here = await startService()
  const ada = await here.tokenFor('user', { user_id: 'ada' })
  const bob = await here.tokenFor('user', { user_id: 'bob' })
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ row: at + 1, cells: { A: `Row ${at}`, B: at } }))
  const workbook = makeXlsx({ Rows: rows })
  const { parser } = here.ctx
  const { packDocument } = parser
  const turns: (string | undefined)[] = []
  let read = 0
  parser.packDocument = async (source, options) => {
    turns.push(options.key)
    const document = await packDocument(source, options)
    if (options.name === 'rows.xlsx') read++
    return document
  }
  onTestFinished(() => void Object.assign(parser, { packDocument }))
  const small = makeDocx(wordParagraph('Some words.'))
  // Starts the process for small files: on a busy machine its start takes longer than small work may, and counts as such.
  expect((await uploadFile(here, 'first.docx', small, { token: ada })).status).toBe(201)
  turns.length = 0
  const client = new AbortController()
  const large = Array.from({ length: 10 }, (_, at) =>
    uploadFile(here, 'rows.xlsx', workbook, { token: at < 9 ? ada : bob, signal: client.signal }),
  )
  const ended = Promise.allSettled(large)
  await until(() => turns.length === large.length)
  for (const [name, content] of [
    ['a.txt', 'Some words.'],
    ['a.docx', small],
  ] as const)
    expect((await uploadFile(here, name, content, { token: ada })).status).toBe(201)
  expect(read).toBeLessThan(large.length)
  expect(new Set(turns).size).toBe(2)
  client.abort()
  await ended
})

it('stops reading for a client that has left, which is no error', async () => {
  const here = await startService()
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ row: at + 1, cells: { A: `Row ${at}`, B: at } }))
  const { parser } = here.ctx
  const { packDocument } = parser
  const { promise: isReading, resolve } = Promise.withResolvers<void>()
  parser.packDocument = (...args) => {
    resolve()
    return packDocument(...args)
  }
  onTestFinished(() => void Object.assign(parser, { packDocument }))
  const form = new FormData()
  form.append('file', new Blob([makeXlsx({ Rows: rows }) as Uint8Array<ArrayBuffer>]), 'rows.xlsx')
  const client = new AbortController()
  const upload = fetch(`${here.url}/api/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${here.token}`, 'x-request-id': 'the-one-who-leaves' },
    body: form,
    signal: client.signal,
  })
  const ended = expect(upload).rejects.toThrow()
  await isReading
  client.abort()
  await ended
  let logged: { level: number; msg: string }[] = []
  await until(() => {
    const lines = takeServiceLog().split('\n')
    logged = lines.filter((line) => line.includes('the-one-who-leaves')).map((line) => JSON.parse(line))
    return logged.length > 0
  })
  expect(logged).toMatchObject([{ level: 30, msg: 'the client disconnected' }])
})

it('does not unpack more than an attachment may hold', async () => {
  const here = await startService()
  const bomb = makeDocx(wordParagraph('lol'.repeat(50_000_000)))
  const { status, body } = await uploadFile(here, 'bomb.docx', bomb)
  expect([status, body.error]).toEqual([400, expect.stringContaining('unpack to more than 128 MB')])
})

it('keeps files in a bucket', async () => {
  const s3 = await startS3()
  const here = await startService({ environment: s3.environment })
  const id = await createFile(here, 'a.txt', 'In a bucket')
  expect(s3.keys().sort()).toEqual([
    expect.stringMatching(new RegExp(`attachments/wsp_\\w+/${id}$`)),
    expect.stringMatching(new RegExp(`attachments/wsp_\\w+/${id}\\.text$`)),
  ])
  expect(await (await fetchContent(here, id)).text()).toBe('In a bucket')
  await here.remove(`/files/${id}`)
  await until(async () => (await stored(here, id)).length === 0)
})

it('goes with its workspace, attached or not', async () => {
  const here = await startService()
  const [attached, unused] = [await createFile(here, 'a.txt', 'Tea is hot.'), await createFile(here, 'b.txt', 'Unused')]
  const agent = (await here.post('/agents', { name: 'Local' })).body.data.id
  const conversation = (await here.post('/conversations', { agent_id: agent })).body.data.id
  const message = { message: 'Is tea hot?', attachments: [{ file_id: attached }] }
  expect((await here.post(`/conversations/${conversation}/messages`, message)).body.data.status).toBe('completed')
  expect((await here.remove(`/files/${attached}`)).body.code).toBe('in_use')
  await here.ctx.db.deleteFrom('workspace').where('id', '=', here.workspace).execute()
  await sweepContent(here.ctx, here.ctx.now() + hour)
  expect([await stored(here, attached), await stored(here, unused)]).toEqual([[], []])
})
