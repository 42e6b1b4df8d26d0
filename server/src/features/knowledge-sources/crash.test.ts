import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshEnvironment, type Json, onPostgres, until } from '../../../test/harness.ts'
import { type Started, startProcess } from '../../../test/process.ts'

const token = 'the-owner-of-this-test'

const newEnvironment = async (): Promise<Record<string, string>> => ({
  ...(await freshEnvironment()),
  ADMIN_TOKEN: token,
  RATE_LIMIT: '0',
  DEMO: 'false',
})

async function open(started: Started) {
  const url = await started.address
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const form = body instanceof FormData
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && !form ? { 'content-type': 'application/json' } : {}) },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    })
    return { ...((await response.json()) as object), httpStatus: response.status }
  }
  return ask
}

it('a sync resumes after kill -9, and files of interrupted uploads are swept', async () => {
  const environment = await newEnvironment()
  const first = startProcess(environment)
  const ask = await open(first)
  const source = (await ask('POST', '/knowledge-sources', { name: 'S', type: 'file' })).data.id
  const count = 24
  const form = new FormData()
  for (let n = 0; n < count; n++) form.append('file', new Blob([`# ${n}\n\n${`text ${n} `.repeat(200)}`]), `${n}.md`)
  expect((await ask('POST', `/knowledge-sources/${source}/documents?sync=false`, form)).httpStatus).toBe(201)
  const sync = (await ask('POST', `/knowledge-sources/${source}/sync`)).data.id
  const added = await until(
    async () => (await ask('GET', `/knowledge-sources/${source}/syncs/${sync}`)).data.documents.added,
  )
  first.child.kill('SIGKILL')
  await first.ended
  expect(added).toBeLessThan(count)
  const incoming = join(environment.DATA_DIR as string, 'files', 'incoming')
  mkdirSync(incoming, { recursive: true })
  writeFileSync(join(incoming, `${Date.now()}-left-behind`), 'half a file')

  const again = await open(startProcess(environment))
  // In a cluster it may be an upload to another node, so it is kept for an hour.
  if (!onPostgres) expect(readdirSync(incoming)).toEqual([])
  const done = await until(async () => {
    const { data } = await again('GET', `/knowledge-sources/${source}/syncs/${sync}`)
    return data.status !== 'running' && data
  })
  expect(done).toMatchObject({
    status: 'completed',
    documents: { total: count, added: count, unchanged: 0, failed: 0 },
  })
  expect((await again('GET', `/knowledge-sources/${source}/documents?status=indexed`)).pagination.total).toBe(count)
}, 180_000)

it('an upload to a full disk is rejected with a reason and leaves no files', async () => {
  const environment = await newEnvironment()
  const ask = await open(startProcess(environment, { maxFileKilobytes: 8_000 }))
  const source = (await ask('POST', '/knowledge-sources', { name: 'S', type: 'file' })).data.id
  const form = new FormData()
  form.append('file', new Blob(['fits']), 'small.txt')
  form.append('file', new Blob(['x'.repeat(12_000_000)]), 'large.txt')
  const refused = await ask('POST', `/knowledge-sources/${source}/documents`, form)
  expect([refused.httpStatus, refused.code, refused.error]).toEqual([
    503,
    'overloaded',
    expect.stringContaining('disk'),
  ])
  expect(readdirSync(join(environment.DATA_DIR as string, 'files', 'incoming'))).toEqual([])
  expect((await ask('GET', `/knowledge-sources/${source}/documents`)).data).toEqual([])
})

it('an index is completed after kill -9 during building and embedding', async () => {
  const environment = await newEnvironment()
  const section = (n: number) => `# Part ${n}\n\n${`The pump of part ${n} is green. `.repeat(10)}`
  const documents = Array.from({ length: 12 }, (_, n) => ({
    title: `Manual ${n}`,
    content: [0, 1].map((part) => section(10 * n + part)).join('\n\n'),
  }))
  let started = startProcess(environment)
  let ask = await open(started)
  const kill = async () => {
    started.child.kill('SIGKILL')
    await started.ended
    started = startProcess(environment)
    ask = await open(started)
  }
  const source = (await ask('POST', '/knowledge-sources', { name: 'S', type: 'text', configuration: { documents } }))
    .data.id
  await until(async () => (await ask('GET', `/knowledge-sources/${source}`)).data.status === 'active')
  const tool = (await ask('POST', '/rag-tools', { name: 'T', knowledge_source_id: source, chunk_size: 100 })).data.id
  const read = async () => (await ask('GET', `/rag-tools/${tool}`)).data
  await until(async () => (await read()).index.chunks > 0)
  await kill() // during the build, or just after
  await until(async () => (await read()).index.refined > 0)
  await kill() // during embedding, or just after
  const { status, index } = await until(async () => {
    const now = await read()
    return now.status === 'ready' && now.index.refined === now.index.chunks && now
  })
  expect([status, index.documents]).toEqual(['ready', 12])
  const { results } = (await ask('POST', `/rag-tools/${tool}/query`, { query: 'pump of part 111', answer: false })).data
  expect(results[0].content).toContain('part 111')
}, 180_000)

it('uploads of 50 MB are streamed: many at once need no more memory than one', async () => {
  const started = startProcess(await newEnvironment())
  const ask = await open(started)
  const source = (await ask('POST', '/knowledge-sources', { name: 'S', type: 'file' })).data.id
  const upload = async (size: number, name: string) => {
    const form = new FormData()
    form.append('file', new Blob(['All work and no play. '.repeat(size / 22)]), name)
    const { httpStatus } = await ask('POST', `/knowledge-sources/${source}/documents?sync=false`, form)
    expect(httpStatus).toBe(201)
  }
  const highWater = () => {
    const status = readFileSync(`/proc/${started.child.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
  }
  await upload(50_000_000, 'first.txt')
  const one = highWater()
  await Promise.all([1, 2, 3, 4, 5].map((n) => upload(50_000_000 + 22 * n, `${n}.txt`)))
  expect(highWater() - one).toBeLessThan(100)
})
