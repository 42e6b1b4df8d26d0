import { expect, it } from 'vitest'
import { freshEnvironment, startOn, startService } from './harness.ts'

it('holds one rate limit across the nodes of a cluster', async () => {
  const one = await startService({ environment: { RATE_LIMIT: '10' } })
  const two = await startOn(one.environment)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).get('/agents')))
  expect(answers.filter((answer) => answer.status === 200).length).toBe(10)
})

it('revokes a token on every node at the next request', async () => {
  const one = await startService()
  const two = await startOn(one.environment)
  const { id, token } = (await one.post('/tokens', { name: 'T', role: 'viewer' })).body.data
  expect((await two.get('/agents', { token })).status).toBe(200)
  await one.remove(`/tokens/${id}`)
  expect((await two.get('/agents', { token })).body.code).toBe('invalid_token')
})

it('starts two nodes at once on an empty database, with one workspace and one owner', async () => {
  const environment = await freshEnvironment({ empty: true })
  const nodes = await Promise.all([startOn({ ...environment }), startOn({ ...environment })])
  const made = nodes.map((node) => node.ownerToken).filter((token) => token !== null)
  expect(made.length).toBe(1)
  const [token] = made as [string]
  for (const node of nodes) {
    const { body } = await node.get('/workspaces', { token })
    expect(body.data.map((workspace: { name: string }) => workspace.name)).toEqual(['default'])
    expect((await node.get('/models', { token })).body.pagination.total).toBe(3)
  }
})

it('sets one default model under parallel requests to several nodes', async () => {
  const one = await startService()
  const two = await startOn(one.environment)
  const make = async (n: number) =>
    (await one.post('/models', { name: `M${n}`, provider: 'ollama', model_id: `m${n}` })).body.data.id as string
  const ids = [await make(1), await make(2), await make(3), await make(4)]
  const answers = await Promise.all(ids.map((id, n) => (n % 2 ? one : two).put(`/models/${id}`, { is_default: true })))
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
  expect((await one.get('/models?type=chat&is_default=true')).body.pagination.total).toBe(1)
})
