import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { freshEnvironment, requestsTo, startOn, until } from '../../../test/harness.ts'
import { knowledge } from '../../../test/knowledge.ts'
import { type KillPoint, type Started, startKilledAt, startProcess } from '../../../test/process.ts'

const token = 'the-owner-of-this-test'

const newEnvironment = async (): Promise<Record<string, string>> => ({
  ...(await freshEnvironment()),
  ADMIN_TOKEN: token,
  RATE_LIMIT: '0',
  DEMO: 'false',
})

const open = async ({ address }: Started) => requestsTo(await address, token)

/** Starts a process and does something in it that gets it killed at a point. */
async function killAt(
  environment: Record<string, string>,
  point: KillPoint,
  nth: number,
  work: (process: Awaited<ReturnType<typeof open>>) => Promise<unknown> = async () => {},
): Promise<void> {
  const started = startKilledAt(environment, point, nth)
  await work(await open(started))
  await started.ended
  expect(started.child.signalCode).toBe('SIGKILL')
}

it('a sync and an index are completed after kill -9 during reading, building and embedding, and files of interrupted uploads are swept', async () => {
  const environment = await newEnvironment()
  const count = 12
  const section = (n: number) => `# Part ${n}\n\n${`The pump of part ${n} is green. `.repeat(10)}`
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${n}.md`, `${section(10 * n)}\n\n${section(10 * n + 1)}`]),
  )
  let source = ''
  let sync = ''
  await killAt(environment, 'read', 8, async (first) => {
    source = await knowledge(first).make()
    expect((await knowledge(first).upload(source, files, { query: '?sync=false' })).status).toBe(201)
    sync = (await first.post(`/knowledge-sources/${source}/sync`)).body.data.id
  })
  const incoming = join(environment.DATA_DIR as string, 'files', 'incoming')
  mkdirSync(incoming, { recursive: true })
  writeFileSync(join(incoming, `${Date.now()}-left-behind`), 'half a file')

  const resumed = await startOn(environment)
  expect(readdirSync(incoming)).toEqual([])
  expect(await knowledge(resumed).settled(source)).toMatchObject({
    id: sync,
    status: 'completed',
    documents: { total: count, added: count, unchanged: 0, failed: 0 },
  })
  const indexed = await resumed.get(`/knowledge-sources/${source}/documents?status=indexed`)
  expect(indexed.body.pagination.total).toBe(count)
  await resumed.close(0)

  let tool = ''
  await killAt(environment, 'build', 5, async (ask) => {
    const body = { name: 'T', knowledge_source_id: source, chunk_size: 100 }
    tool = (await ask.post('/rag-tools', body)).body.data.id
  })
  await killAt(environment, 'embed', 2)

  const { get, post } = await startOn(environment)
  const { status, index } = await until(async () => {
    const now = (await get(`/rag-tools/${tool}`)).body.data
    return now.status === 'ready' && now.index.refined === now.index.chunks && now
  })
  expect([status, index.documents]).toEqual(['ready', count])
  const query = { query: 'pump of part 111', answer: false }
  const { results } = (await post(`/rag-tools/${tool}/query`, query)).body.data
  expect(results[0].content).toContain('part 111')
}, 180_000)

it('large uploads are streamed: many at once need no more memory than one, and a full disk refuses one with a reason', async () => {
  const environment = await newEnvironment()
  const started = startProcess(environment, { maxFileKilobytes: 25_000 })
  const { url, ...ask } = await open(started)
  const { make, upload: send, documents } = knowledge({ url, ...ask })
  const source = await make()
  const part = Buffer.from('All work and no play. '.repeat(4096))
  const upload = async (parts: number, name: string) => {
    const path = `/api/knowledge-sources/${source}/documents?sync=false`
    const sent = request(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=boundary' },
    })
    const header = `--boundary\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
    Readable.from([header, ...Array.from({ length: parts }, () => part), '\r\n--boundary--\r\n']).pipe(sent)
    const response = await new Promise<Parameters<typeof text>[0] & { statusCode?: number }>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    )
    expect([name, response.statusCode, await text(response)]).toEqual([name, 201, expect.stringContaining(name)])
  }
  const highWaterMb = () => {
    const status = readFileSync(`/proc/${started.child.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
  }
  const partsOf20Mb = 220
  await upload(partsOf20Mb, 'first.txt')
  const one = highWaterMb()
  await Promise.all(Array.from({ length: 8 }, (_, n) => upload(partsOf20Mb + n, `${n}.txt`)))
  expect(highWaterMb() - one).toBeLessThan(80)

  const full = await make()
  const refused = await send(full, { 'small.txt': 'fits', 'large.txt': 'x'.repeat(26_000_000) })
  expect([refused.status, refused.body.code, refused.body.error]).toEqual([
    503,
    'overloaded',
    expect.stringContaining('disk'),
  ])
  expect(readdirSync(join(environment.DATA_DIR as string, 'files', 'incoming'))).toEqual([])
  expect(await documents(full)).toEqual([])
})
