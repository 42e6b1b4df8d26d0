import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closedPort } from '../../../../test/closed-port.ts'
import { freshEnvironment, type Service, startOn, startService, until } from '../../../../test/harness.ts'
import { knowledge } from '../../../../test/knowledge.ts'
import { startS3 } from '../../../../test/s3.ts'

/** Files on the local disk of the service. */
const localFiles = ({ ctx }: Service): string[] =>
  ['incoming', 'files'].flatMap((name) => {
    const folder = join(ctx.config.dataDir, name)
    return existsSync(folder) ? readdirSync(folder) : []
  })

it('stores, reads, replaces and deletes files in a bucket, and leaves none on the local disk', async () => {
  const s3 = await startS3()
  const service = await startService({ environment: s3.environment })
  const { make, upload, settled, documents, text } = knowledge(service)
  const source = await make()
  expect((await upload(source, { 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' })).status).toBe(201)
  expect(await settled(source)).toMatchObject({ status: 'completed', documents: { added: 3, failed: 0 } })
  const [a, b] = await documents(source)
  expect(await text(source, b.id)).toBe('two')
  expect(s3.keys()).toHaveLength(3)
  for (const key of s3.keys()) expect(key).toMatch(/^test\/files\/wsp_\w+\/src_\w+\/doc_\w+\.[0-9a-f]{32}$/)
  expect((await upload(source, { 'a.txt': 'changed' })).body.data[0].id).toBe(a.id)
  await settled(source)
  expect(await text(source, a.id)).toBe('changed')
  expect(s3.keys()).toHaveLength(3)
  expect((await service.remove(`/knowledge-sources/${source}/documents/${a.id}`)).status).toBe(200)
  expect(s3.keys().filter((key) => key.includes(a.id))).toEqual([])
  const { status, components } = (await service.get('/status')).body.data
  expect([status, components.files]).toMatchObject(['operational', { status: 'operational', engine: 's3' }])
  expect((await service.remove(`/knowledge-sources/${source}`)).status).toBe(200)
  expect(s3.keys()).toEqual([])
  const busy = await make()
  const contents = ['one', 'two', 'three', 'four']
  const answers = await Promise.all(contents.map((content) => upload(busy, { 'same.txt': content })))
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201])
  await settled(busy)
  const [document, ...others] = await documents(busy)
  expect(others).toEqual([])
  expect(contents).toContain(await text(busy, document.id))
  await service.remove(`/knowledge-sources/${busy}`)

  const large = await make()
  const content = 'x'.repeat(20_000_000)
  const [{ sha256 }] = (await upload(large, { 'large.txt': content }, { query: '?sync=false' })).body.data
  const [key = ''] = s3.keys()
  const stored = createHash('sha256')
  for await (const part of await service.ctx.files.read(key.split('/').slice(2))) stored.update(part)
  expect(stored.digest('hex')).toBe(sha256)
  expect(localFiles(service)).toEqual([])
})

it('answers 503 while the store is down, and continues when it is back', async () => {
  const s3 = await startS3()
  const service = await startService({ environment: s3.environment })
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make()
  await upload(source, { 'a.txt': 'one' }, { query: '?sync=false' })
  await s3.stop()
  const refused = await upload(source, { 'b.txt': 'two' })
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'overloaded', '5'])
  expect((await documents(source)).map(({ name }) => name)).toEqual(['a.txt'])
  expect((await service.get('/health')).status).toBe(200)
  const { status, components } = (await service.get('/status')).body.data
  expect([status, components.files.status]).toEqual(['degraded', 'degraded'])
  const sync = (await service.post(`/knowledge-sources/${source}/sync`)).body.data.id
  await until(async () => (await service.get('/status')).body.data.jobs.running === 0)
  await s3.start()
  await settled(source)
  expect((await service.get(`/knowledge-sources/${source}/syncs/${sync}`)).body.data).toMatchObject({
    status: 'completed',
    documents: { added: 1, failed: 0 },
  })
  expect((await upload(source, { 'b.txt': 'two' })).status).toBe(201)
  expect(localFiles(service)).toEqual([])
})

it('sweeps objects of no document and local files of a crash', async () => {
  const s3 = await startS3()
  const environment: Record<string, string> = { ...(await freshEnvironment()), ADMIN_TOKEN: 't', ...s3.environment }
  const first = await startOn(environment)
  const source = await knowledge(first).make()
  await knowledge(first).upload(source, { 'a.txt': 'one' }, { query: '?sync=false' })
  const [kept = ''] = s3.keys()
  // More than one page of a list has.
  s3.copy(
    kept,
    Array.from({ length: 1001 }, (_, n) => `doc_${n}.${'0'.repeat(32)}`),
  )
  await first.close()
  mkdirSync(join(environment.DATA_DIR ?? '', 'incoming'), { recursive: true })
  writeFileSync(join(environment.DATA_DIR ?? '', 'incoming', `${Date.now()}-left-behind`), 'half a file')
  const second = await startOn(environment)
  expect(s3.keys()).toEqual([kept])
  expect(localFiles(second)).toEqual([])
})

it('does not start without a usable bucket and says why', async () => {
  const { environment } = await startS3()
  const start = (more: Record<string, string>) => startService({ environment: { ...environment, ...more } })
  await expect(start({ FILES_URL: 's3://absent' })).rejects.toThrow(/there is no bucket "absent" at http/)
  const denied = start({ AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'a-secret' })
  await expect(denied).rejects.toThrow(/access to the bucket "parley" was denied \(InvalidAccessKeyId\)/)
  await expect(denied).rejects.not.toThrow(/a-secret/)
  const closed = `http://127.0.0.1:${await closedPort()}`
  await expect(start({ AWS_ENDPOINT_URL: closed })).rejects.toThrow(/127\.0\.0\.1:\d+ cannot be reached \(ECONN/)
  await expect(start({ AWS_SECRET_ACCESS_KEY: '' })).rejects.toThrow(/Set both AWS_ACCESS_KEY_ID/)
  for (const url of ['s3://', 's3://key:word@parley', 's3://parley?x=1', 's3://parley/a b'])
    await expect(start({ FILES_URL: url })).rejects.toThrow(/^FILES_URL must be s3:\/\/bucket/)
})
