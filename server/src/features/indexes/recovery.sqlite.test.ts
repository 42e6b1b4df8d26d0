import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { library } from '../../../test/handbook.ts'
import { freshEnvironment, startOn, until } from '../../../test/harness.ts'

it('an index is rebuilt from the stored texts if a restored folder lacks search.db', async () => {
  const environment: Record<string, string> = { ...(await freshEnvironment()), ADMIN_TOKEN: 't' }
  const first = await startOn(environment)
  const { ragTool, upload, make, settled } = await library(first)
  const source = await make()
  await upload(source, { 'zebra.txt': 'The zebra sleeps under the old lighthouse.' })
  await settled(source)
  const tools = [await ragTool({ knowledge_source_id: source }), await ragTool({ chunk_size: 100 })]
  const read = async ({ get }: typeof first, tool = '') => (await get(`/rag-tools/${tool}`)).body.data
  const before = await Promise.all(tools.map((tool) => read(first, tool)))
  await first.close(0)
  for (const name of readdirSync(environment.DATA_DIR ?? ''))
    if (name.startsWith('search.db')) rmSync(join(environment.DATA_DIR ?? '', name))

  const second = await startOn(environment)
  for (const [at, tool] of tools.entries()) {
    const after = await until(async () => {
      const now = await read(second, tool)
      return now.status === 'ready' && now
    })
    expect(after.index).toMatchObject({ documents: before[at].index.documents, chunks: before[at].index.chunks })
  }
  const query = { query: 'Where does the zebra sleep?', answer: false }
  const { results } = (await second.post(`/rag-tools/${tools[0]}/query`, query)).body.data
  expect(results[0].content).toContain('lighthouse')
})
