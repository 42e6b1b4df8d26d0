import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createFile } from './attachments.ts'
import { folderOfTest } from './folder.ts'
import { freshEnvironment, type Service, startOn, until } from './harness.ts'
import { knowledge } from './knowledge.ts'
import { startS3 } from './s3.ts'
import { stageOn } from './stage.ts'

/** Two nodes with folders of their own, which share the database and the files. */
async function twoNodes(files: Record<string, string>): Promise<[Service, Service]> {
  const environment: Record<string, string> = {
    ...(await freshEnvironment()),
    ADMIN_TOKEN: 'the-owner-of-this-test',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    EGRESS_ALLOW: '127.0.0.1',
    ...files,
  }
  const start = () => startOn({ ...environment, DATA_DIR: folderOfTest() })
  return [await start(), await start()]
}

const search = async (node: Service, tool: string, query: string): Promise<string[]> => {
  const { body } = await node.post(`/rag-tools/${tool}/query`, { query, answer: false })
  return body.data.results.map(({ content }: { content: string }) => content)
}

const sharedFolder = async () => {
  const folder = folderOfTest()
  return { environment: { FILES_URL: `file://${folder}` }, keys: () => readdirSync(folder, { recursive: true }) }
}

it.each([
  ['folder', sharedFolder],
  ['bucket', startS3],
])(
  'finds, cites, changes and deletes on every node what was uploaded on one, with files in a %s',
  async (_name, open) => {
    const files = await open()
    const [one, two] = await twoNodes(files.environment)
    const [here, there] = [knowledge(one), knowledge(two)]
    const source = await here.make()
    await here.upload(source, {
      'tea.md': 'Green tea is brewed at 80 degrees.',
      'pump.md': 'Prime the pump with water.',
      'teas.csv': 'Tea,Grams\nGreen,30\nBlack,40\nTotal,70',
    })
    await here.settled(source)
    const { id: tool } = (await two.post('/rag-tools', { name: 'Papers', knowledge_source_id: source })).body.data
    expect((await two.get(`/rag-tools/${tool}`)).body.data.index).toMatchObject({ documents: 3 })
    for (const node of [one, two]) expect((await search(node, tool, 'brewing tea'))[0]).toContain('80 degrees')

    // A table that one node read is queried on the other.
    const [{ sql_name, total_rows }] = (await two.get(`/knowledge-sources/${source}/tables`)).body.data
    const body = { name: 'Teas', knowledge_source_ids: [source], tables: true }
    const teas = (await one.post('/retrieval-tools', body)).body.data.id
    const sql = `SELECT sum(grams) FROM ${sql_name} WHERE rowid NOT IN (${total_rows})`
    expect((await two.post(`/retrieval-tools/${teas}/tables/query`, { sql })).body.data.rows).toEqual([[70]])

    const agent = (await two.post('/agents', { name: 'A', tools: [tool] })).body.data.id
    const conversation = (await two.post('/conversations', { agent_id: agent })).body.data.id
    const reply = await two.post(`/conversations/${conversation}/messages`, { message: 'How hot is green tea brewed?' })
    expect(reply.body.data.citations?.[0] ?? reply.body).toMatchObject({ source: 'tea.md' })

    // An attachment that one node took is read by the other.
    const file_id = await createFile(one, 'ship.md', 'The captain of the ship is called Ida.')
    const local = (await two.post('/agents', { name: 'B' })).body.data.id
    const talk = (await two.post('/conversations', { agent_id: local })).body.data.id
    const message = { message: 'What is the captain called?', attachments: [{ file_id }] }
    const { citations } = (await two.post(`/conversations/${talk}/messages`, message)).body.data
    expect(citations).toMatchObject([{ source: 'ship.md', document_id: file_id }])
    await one.remove(`/conversations/${talk}`)
    expect((await two.get(`/files/${file_id}`)).status).toBe(404)

    const [tea] = (await there.documents(source)).filter(({ name }) => name === 'tea.md')
    await there.upload(source, { 'tea.md': 'White tea is brewed at 70 degrees.' })
    await there.settled(source)
    expect((await search(one, tool, 'brewing tea'))[0]).toContain('70 degrees')
    expect((await one.remove(`/knowledge-sources/${source}/documents/${tea.id}`)).status).toBe(200)
    expect(await search(two, tool, 'brewing tea')).not.toContain('White tea is brewed at 70 degrees.')
    expect((await there.sync(source)).status).toBe('completed')
    expect((await search(two, tool, 'pumps'))[0]).toContain('Prime the pump')

    for (const node of [one, two]) {
      const names = readdirSync(node.ctx.config.dataDir)
      expect(names.filter((name) => name === 'search.db' || name === 'files')).toEqual([])
    }
    expect(files.keys().filter((key) => /wsp_\w+\/src_\w+\/doc_\w+\.\w+$/.test(String(key)))).toHaveLength(2)
  },
)

it('embeds the passages of an index on one node at a time', async () => {
  const [one, two] = await twoNodes((await sharedFolder()).environment)
  const { make, upload, settled } = knowledge(one)
  const source = await make()
  const stage = await stageOn(one)
  const embedding = { name: 'E', provider: 'openai-compatible', model_id: 'embed', type: 'embedding' }
  const model = (await one.post('/models', { ...embedding, endpoint: stage.provider.url })).body.data.id
  await one.post('/rag-tools', { name: 'Papers', knowledge_source_id: source, embedding_model: model })
  const files = Array.from({ length: 40 }, (_, n) => [`${n}.md`, `Passage number ${n} about subject ${n * 7}.`])
  await upload(source, Object.fromEntries(files))
  await settled(source)
  const { rows = [] } =
    (await one.ctx.pool?.query('select id, workspace_id from search_index where model_id = $1', [model])) ?? {}
  const [index] = rows
  await Promise.all(
    [one, two].map(({ ctx }) =>
      ctx.jobs.enqueue(ctx.db, 'indexes.refine', { workspace: index.workspace_id, payload: { index: index.id } }),
    ),
  )
  const name = { workspace: index.workspace_id, key: index.id }
  await until(async () => {
    const { chunks = 1, embedded = 0 } = (await two.ctx.search.describe(name)) ?? {}
    return embedded === chunks
  })
  const inputs = stage.provider.requests.flatMap(({ body }) => (Array.isArray(body.input) ? body.input : []))
  expect(new Set(inputs).size).toBe(inputs.length)
})
