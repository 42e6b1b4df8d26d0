import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../src/kernel/store/database.ts'
import { thisRelease } from '../../src/kernel/store/release.ts'
import { minute } from '../../src/kernel/time.ts'
import { engine, freshEnvironment, type Service, startOn } from '../harness.ts'
import { scriptedProvider } from '../scripted-provider.ts'
import { releaseKey, releaseSettings, unpack } from './kept.ts'

async function restore(url: string, dump: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(dump)
  await client.end()
}

/** Results of the last release rest on what its agents used, also when they do not use it any more. */
async function expectHiddenEvaluation({ post, put, get }: Service, paths: string[]): Promise<void> {
  const [agent, source, evaluation] = ['agents', 'knowledge-sources', 'evaluations'].map((name) =>
    paths.find((path) => new RegExp(`^/${name}/\\w+$`).test(path)),
  )
  const viewer = (await post('/tokens', { name: 'V', role: 'viewer' })).body.data
  expect((await get(`${evaluation}/results`, viewer)).status).toBe(200)
  const { tools } = (await get(`${agent}`)).body.data
  await put(`${agent}`, { tools: [] })
  await put(`${source}`, { access: { groups: ['hr'] } })
  expect((await get(`${evaluation}/results`, viewer)).status).toBe(404)
  await put(`${source}`, { access: null })
  await put(`${agent}`, { tools })
}

it('opens the data of the last release, shows everything in it, and goes on with it', async () => {
  const environment = await freshEnvironment({ empty: true })
  const { version, madeAt, search, responses, dump } = unpack(engine as Engine, environment.DATA_DIR ?? '')
  if (environment.DATABASE_URL) await restore(environment.DATABASE_URL, dump)
  expect(thisRelease.previous).toBe(version)

  // Soon after it was made, so that nothing has expired.
  const now = () => madeAt + minute
  const service = await startOn({ ...environment, ...releaseSettings }, { now })
  for (const [path, expected] of Object.entries(responses)) {
    const { status, body } = await service.get(path)
    expect({ path, status, data: body.data }).toMatchObject({ path, status: 200, data: expected })
  }
  const found = (await service.post(search.path, { query: search.query })).body.data
  expect(found.results[0].metadata.document_id).toBe(search.document)

  await expectHiddenEvaluation(service, Object.keys(responses))

  const provider = await scriptedProvider({ deltas: ['Yes.'] })
  onTestFinished(() => provider.close())
  // The API changes an endpoint only together with the key, which must come from the data.
  await service.ctx.db.updateTable('model').set({ endpoint: provider.url }).execute()
  const conversation = Object.keys(responses).find((path) => /^\/conversations\/\w+$/.test(path))
  const reply = await service.post(`${conversation}/messages`, { message: 'Every year?' })
  expect(reply.body.data).toMatchObject({ status: 'completed', content: 'Yes.' })
  expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${releaseKey}`)
  expect(JSON.stringify(provider.requests[0]?.body.messages)).toContain('What does the pump need?')
})
