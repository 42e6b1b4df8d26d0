import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import type { Feature } from '../src/kernel/feature.ts'
import { migrate } from '../src/migrate/command.ts'
import { createFile } from './attachments.ts'
import { evaluating } from './evaluating.ts'
import { folderOfTest } from './folder.ts'
import { freshEnvironment, type Json, type Service, startOn, until } from './harness.ts'
import { knowledge } from './knowledge.ts'
import { startProcess } from './process.ts'
import { startReceiver, verify } from './receiver.ts'
import { placeMigrated } from './services/sqlite.ts'
import { stageOn } from './stage.ts'

const keys = { folder: '1a'.repeat(32), cluster: '2b'.repeat(32) }
const token = 'the-owner-of-this-test'

/** A data folder, used with SQLite although this project runs on Postgres. */
async function dataFolder(): Promise<Record<string, string>> {
  const folder = folderOfTest()
  await placeMigrated(folder)
  return { DATA_DIR: folder, ADMIN_TOKEN: token, SECRET_KEY: keys.folder, EGRESS_ALLOW: '127.0.0.1' }
}

async function emptyCluster(): Promise<Record<string, string>> {
  const { DATABASE_URL = '' } = await freshEnvironment({ empty: true })
  const shared = { ADMIN_TOKEN: token, SECRET_KEY: keys.cluster, EGRESS_ALLOW: '127.0.0.1' }
  return { ...shared, DATABASE_URL, DATA_DIR: folderOfTest(), FILES_URL: `file://${folderOfTest()}` }
}

async function move(from: Record<string, string>, to: Record<string, string>): Promise<string[]> {
  const lines: string[] = []
  const { DATABASE_URL = '', FILES_URL, SECRET_KEY } = to
  const environment = { FILES_URL, SECRET_KEY, FROM_SECRET_KEY: from.SECRET_KEY, LOG_LEVEL: 'silent' }
  await migrate({ from: from.DATA_DIR, to: DATABASE_URL }, environment, (line) => lines.push(line))
  return lines
}

/** Everything that clients can read, without fields that change with every request. */
async function readableContent({ get }: Service, ids: Record<string, string>): Promise<Record<string, Json>> {
  const lists = ['agents', 'models', 'prompt-templates', 'api-tools', 'webhooks', 'conversations', 'evaluations']
  const paths = [
    ...lists.map((name) => `/${name}?limit=100`),
    '/workspaces',
    '/usage/thresholds',
    `/usage/stats?entity_type=agent&entity_id=${ids.agent}`,
    `/usage/costs?entity_type=agent&entity_id=${ids.agent}`,
    '/analytics/conversations',
    '/audit/verify', // with the key of the folder, then under that of the cluster
    '/audit?limit=100',
    `/agents/${ids.agent}/versions`,
    `/conversations/${ids.conversation}`,
    `/webhooks/${ids.webhook}/deliveries`,
    `/evaluations/${ids.evaluation}/results`,
    `/knowledge-sources/${ids.source}/documents`,
    `/knowledge-sources/${ids.source}/documents/${ids.document}/content`,
    `/knowledge-sources/${ids.source}/syncs`,
  ]
  const content: Record<string, Json> = {}
  for (const path of paths) {
    const { status, body } = await get(path)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
    content[path] = { data: body.data, pagination: body.pagination }
  }
  return content
}

it('moves a data folder into a cluster, with everything in it', async () => {
  const from = await dataFolder()
  const ran: unknown[] = []
  const probe: Feature = {
    name: 'probe',
    jobs: (ctx) => ctx.jobs.define({ queue: 'probe', run: async ({ payload }) => void ran.push(payload) }),
  }
  const single = await startOn(from, { features: [probe] })
  const here = await stageOn(single, { deltas: ['Hello ', 'there'], usage: { input: 20, output: 10 } })
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await single.post(path, body)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.data.id
  }
  const pricing = { input: 0, output: 0 }
  const model = { name: 'Keyed', provider: 'openai-compatible', model_id: 'keyed', api_key: 'sk-the-key', pricing }
  const keyed = await made('/models', { ...model, endpoint: here.provider.url })
  await single.put(`/agents/${here.agent}`, { name: 'Renamed' })
  const conversation = await here.talk()
  await here.say(conversation, 'Hi 😀')
  await here.say(conversation, 'Again', {}, { headers: { 'idempotency-key': 'once' } })
  await made('/prompt-templates', { name: 'T', template: 'Hello {{name}}' })
  await made('/usage/thresholds', { name: 'B', metric: 'cost', limit: 1, window: 'total', action: 'block' })
  const auth = { type: 'bearer', token: 'tool-secret' }
  await made('/api-tools', { name: 'lookup', description: 'D', url: 'http://127.0.0.1:8080/x', auth })
  const receiver = await startReceiver((nth) => (nth === 1 ? 500 : 204))
  const hook = await single.post('/webhooks', { url: receiver.url, events: ['webhook.test'] })
  const webhook: string = hook.body.data.id
  const rotated = await single.post(`/webhooks/${webhook}/rotate-secret`)
  const { make, upload, settled } = knowledge(single)
  const source = await make()
  const [document] = (await upload(source, { 'tea.md': 'Green tea is brewed at 80 degrees.' })).body.data
  await settled(source)
  const file = await createFile(single, 'note.txt', 'A note to keep')
  const rag = await made('/rag-tools', { name: 'Papers', knowledge_source_id: source })
  const { create, run, ended } = evaluating(single)
  const test_cases = [{ input: 'Hi', expected_output: 'Hello there' }]
  const evaluation = await create({ type: 'agent', target_id: here.agent, test_cases })
  await ended(evaluation, await run(evaluation))
  await single.post(`/webhooks/${webhook}/test`)
  await until(() => receiver.received.length === 1)
  await until(async () => (await single.get(`/webhooks/${webhook}/deliveries`)).body.data[0].attempts === 1)
  await single.ctx.jobs.enqueue(single.ctx.db, 'probe', { workspace: null, payload: 'go on', delay: 2000 })
  const ids = { agent: here.agent, conversation, webhook, source, document: document.id, evaluation }
  const before = await readableContent(single, ids)
  expect(before['/audit/verify'].data).toMatchObject({ valid: true, unsealed: 0 })

  const to = await emptyCluster()
  await expect(move(from, to)).rejects.toThrow(/Another Parley is using the data folder/)
  await single.close()
  await expect(move({ ...from, SECRET_KEY: 'another' }, to)).rejects.toThrow(/Set FROM_SECRET_KEY/)
  const lines = await move(from, to)
  expect(lines).toContain('files: 3')
  expect(lines.join('\n')).toMatch(/message: \d+ rows\n.*All counts and hashes are equal\.\nStart the nodes with/s)
  await expect(move(from, to)).rejects.toThrow(/already has data of Parley/)

  const cluster = await startOn(to, { features: [probe] })
  expect(await readableContent(cluster, ids)).toEqual(before)
  const note = await fetch(`${cluster.url}/api/files/${file}/content`, {
    headers: { authorization: `Bearer ${cluster.token}` },
  })
  expect(await note.text()).toBe('A note to keep')
  await until(() => ran.includes('go on'))
  const [delivery] = (await cluster.get(`/webhooks/${webhook}/deliveries`)).body.data
  await cluster.post(`/webhooks/${webhook}/deliveries/${delivery.id}/redeliver`)
  await until(() => receiver.received.length === 2)
  for (const secret of [hook.body.data.secret, rotated.body.data.secret])
    verify(secret, receiver.received[1] as (typeof receiver.received)[number])
  const replayed = await cluster.post(
    `/conversations/${conversation}/messages`,
    { message: 'Again' },
    { headers: { 'idempotency-key': 'once' } },
  )
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')

  await cluster.put(`/agents/${here.agent}`, { model_id: keyed })
  const reply = await cluster.post(`/conversations/${conversation}/messages`, { message: 'And now?' })
  expect(reply.body.data).toMatchObject({ status: 'completed', content: 'Hello there' })
  expect(here.provider.requests.at(-1)?.headers.authorization).toBe('Bearer sk-the-key')
  const usage = `/usage/stats?entity_type=agent&entity_id=${here.agent}`
  expect((await cluster.get(usage)).body.data.total_tokens).toBe(before[usage].data.total_tokens + 30)

  await until(async () => (await cluster.get(`/rag-tools/${rag}`)).body.data.status === 'ready')
  const query = { query: 'How hot is green tea brewed?', answer: false }
  const { results } = (await cluster.post(`/rag-tools/${rag}/query`, query)).body.data
  expect(results[0].content).toContain('80 degrees')
  const moved = knowledge(cluster)
  await moved.upload(source, { 'tea.md': 'White tea is brewed at 70 degrees.' })
  await moved.settled(source)
  expect(await moved.text(source, document.id)).toContain('70 degrees')
}, 300_000)

it('starts over after it was killed, and no node starts on half a copy', async () => {
  const from = await dataFolder()
  const single = await startOn(from)
  const here = await stageOn(single)
  const conversation = await here.talk()
  await here.say(conversation, 'Hi')
  const { make, upload } = knowledge(single)
  const source = await make()
  await upload(source, { 'a.txt': 'one' }, { query: '?sync=false' })
  await single.close()

  const to = await emptyCluster()
  await (await startOn(to)).close() // creates the schema
  const client = new pg.Client(to.DATABASE_URL)
  client.on('error', () => {}) // the database is dropped with it if the test fails
  await client.connect()
  await client.query('truncate workspace, key_check, job cascade')
  await client.query(`create function wait() returns boolean language sql volatile as 'select pg_sleep(3600) is null'`)
  await client.query('alter table message add constraint waiting check (wait())')
  const { DATABASE_URL = '', FILES_URL = '', SECRET_KEY = '' } = to
  const killed = startProcess(
    { DATA_DIR: from.DATA_DIR ?? '', FILES_URL, SECRET_KEY, FROM_SECRET_KEY: keys.folder },
    { args: ['migrate', '--to', DATABASE_URL] },
  )
  // Other tests insert messages into other databases of this server.
  const waiting = `from pg_stat_activity where datname = current_database() and state = 'active' and query like 'insert into "message" %'`
  await until(async () => {
    if (killed.child.exitCode !== null) throw new Error(killed.errors())
    return (await client.query(`select pid ${waiting}`)).rows.length > 0
  })
  await expect(move(from, to)).rejects.toThrow(/Another Parley is using the data folder/)
  killed.child.kill('SIGKILL')
  await killed.ended
  await client.query(`select pg_terminate_backend(pid) ${waiting}`) // of a repeated statement too, which would hold its locks
  await client.query('alter table message drop constraint waiting')
  expect((await client.query('select count(*)::int as n from conversation')).rows[0].n).toBe(1)
  await expect(startOn(to)).rejects.toThrow(/is not complete. Run the migration again/)

  await until(() =>
    move(from, to).then(
      () => true,
      (error) => !/Another migration/.test(error.message) && Promise.reject(error),
    ),
  )
  await client.end()
  const cluster = await startOn(to)
  expect((await cluster.get('/agents')).body.pagination.total).toBe(1)
  expect((await cluster.get(`/conversations/${conversation}`)).body.data.messages).toHaveLength(2)
  const [workspace = ''] = readdirSync(new URL(FILES_URL)).filter((name) => name.startsWith('wsp_'))
  expect(existsSync(join(new URL(FILES_URL).pathname, workspace, source))).toBe(true)
}, 300_000)

it('says what is missing', async () => {
  const run = (to?: string) => migrate({ to }, { DATA_DIR: folderOfTest() }, () => {})
  await expect(run()).rejects.toThrow(/Name the database of the cluster: migrate --to/)
  await expect(run('mysql://x')).rejects.toThrow(/DATABASE_URL must be a URL that starts with postgres/)
  await expect(run('postgres://127.0.0.1:1/x')).rejects.toThrow(/There is no data of Parley in .*--from/)
})
