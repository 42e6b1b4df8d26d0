import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshEnvironment, type Json, until } from '../../../test/harness.ts'
import { type Started, startProcess } from '../../../test/process.ts'

const token = 'the-owner-of-this-test'

async function open(started: Started) {
  const url = await started.address
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const form = body instanceof FormData
    const response = await fetch(`${url}/api/knowledge-sources${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && !form ? { 'content-type': 'application/json' } : {}) },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    })
    return { ...((await response.json()) as object), httpStatus: response.status }
  }
  return ask
}

it('a sync that kill -9 cuts off goes on where it was, and the leftovers of an upload are swept', async () => {
  const environment: Record<string, string> = {
    ...(await freshEnvironment()),
    ADMIN_TOKEN: token,
    RATE_LIMIT: '0',
    DEMO: 'false',
  }
  const first = startProcess(environment)
  const ask = await open(first)
  const source = (await ask('POST', '', { name: 'S', type: 'file' })).data.id
  const count = 40
  const form = new FormData()
  for (let n = 0; n < count; n++) form.append('file', new Blob([`# ${n}\n\n${`text ${n} `.repeat(200)}`]), `${n}.md`)
  expect((await ask('POST', `/${source}/documents?sync=false`, form)).httpStatus).toBe(201)
  const sync = (await ask('POST', `/${source}/sync`)).data.id
  const added = await until(async () => (await ask('GET', `/${source}/syncs/${sync}`)).data.documents.added)
  first.child.kill('SIGKILL')
  await first.ended
  expect(added).toBeLessThan(count)
  const incoming = join(environment.DATA_DIR as string, 'files', 'incoming')
  mkdirSync(incoming, { recursive: true })
  writeFileSync(join(incoming, `${Date.now()}-left-behind`), 'half a file')

  const again = await open(startProcess(environment))
  expect(readdirSync(incoming)).toEqual([])
  const done = await until(async () => {
    const { data } = await again('GET', `/${source}/syncs/${sync}`)
    return data.status !== 'running' && data
  })
  expect(done).toMatchObject({
    status: 'completed',
    documents: { total: count, added: count, unchanged: 0, failed: 0 },
  })
  expect((await again('GET', `/${source}/documents?status=indexed`)).pagination.total).toBe(count)
}, 180_000)

it('a full disk refuses the upload in words and leaves nothing of it', async () => {
  const environment: Record<string, string> = {
    ...(await freshEnvironment()),
    ADMIN_TOKEN: token,
    RATE_LIMIT: '0',
    DEMO: 'false',
  }
  const ask = await open(startProcess(environment, { largestFileKilobytes: 8_000 }))
  const source = (await ask('POST', '', { name: 'S', type: 'file' })).data.id
  const form = new FormData()
  form.append('file', new Blob(['fits']), 'small.txt')
  form.append('file', new Blob(['x'.repeat(12_000_000)]), 'large.txt')
  const refused = await ask('POST', `/${source}/documents`, form)
  expect([refused.httpStatus, refused.code, refused.error]).toEqual([
    503,
    'overloaded',
    expect.stringContaining('disk'),
  ])
  expect(readdirSync(join(environment.DATA_DIR as string, 'files', 'incoming'))).toEqual([])
  expect((await ask('GET', `/${source}/documents`)).data).toEqual([])
})
