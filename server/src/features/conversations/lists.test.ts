import { expect, it } from 'vitest'
import { type Json, startService, type Workspace } from '../../../test/harness.ts'
import { timestamp } from '../../kernel/time.ts'

const agents = ['agt_a', 'agt_b', 'agt_c']
const count = 1300

/** Conversations of two weeks, most of them about an invoice. */
async function manyConversations(): Promise<Workspace & { rows: Json[] }> {
  const service = await startService()
  const { ctx, workspace } = service
  const rows: Json[] = Array.from({ length: count }, (_, n) => {
    const created = Date.parse('2026-03-01T00:00:00Z') + n * 900_000
    return {
      id: ctx.newId('cnv'),
      agent_id: agents[n % agents.length],
      user_id: `user ${n % 7}`,
      title: n % 13 === 0 ? null : n % 50 === 1 ? `Reise Nr. ${n} nach Zürich` : `INVOICE ${n} of 100%`,
      status: n % 10 === 0 ? 'active' : 'completed',
      metadata: '{}',
      running_message_id: null,
      last_message_id: null,
      active_at: Date.now(),
      revision: 1,
      created_at: timestamp(created),
      updated_at: timestamp(created + (n % 5) * 86_400_000),
      workspace_id: workspace,
      evaluation_id: null,
    }
  })
  for (let at = 0; at < count; at += 650)
    await ctx.db
      .insertInto('conversation')
      .values(rows.slice(at, at + 650))
      .execute()
  return { ...service, rows }
}

/** Every row of a list, as a client reads it that trusts `pages`. */
async function walk({ get }: Pick<Workspace, 'get'>, query: string): Promise<{ ids: string[]; totals: number[] }> {
  const ids: string[] = []
  const totals: number[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, pagination } = (await get(`/conversations?limit=100&page=${page}&${query}`)).body
    ids.push(...data.map((row: Json) => row.id))
    totals.push(pagination.total)
    pages = pagination.pages
  }
  return { ids, totals }
}

const sorted = (rows: Json[], field: string, order: 'asc' | 'desc'): string[] => {
  const direction = order === 'asc' ? 1 : -1
  const compare = (a: Json, b: Json) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id < b.id ? -1 : 1)
  return [...rows].sort((a, b) => direction * compare(a, b)).map(({ id }) => id)
}

it('show every row of many exactly once, in every order and with every filter', async () => {
  const service = await manyConversations()
  const cases: [query: string, rows: Json[]][] = [
    ['', service.rows],
    ['agent_id=agt_b&', service.rows.filter((row) => row.agent_id === 'agt_b')],
    ['status=active&', service.rows.filter((row) => row.status === 'active')],
    ['user_id=user%203&', service.rows.filter((row) => row.user_id === 'user 3')],
    [
      'agent_id=agt_c&status=completed&',
      service.rows.filter(({ agent_id, status }) => agent_id === 'agt_c' && status === 'completed'),
    ],
  ]
  for (const [filter, rows] of cases) {
    for (const sort of ['created_at', 'updated_at']) {
      for (const order of ['asc', 'desc'] as const) {
        const { ids, totals } = await walk(service, `${filter}sort=${sort}&order=${order}`)
        expect([filter, sort, order, ids]).toEqual([filter, sort, order, sorted(rows, sort, order)])
        expect(new Set(totals)).toEqual(new Set([rows.length]))
      }
    }
  }
})

it('find words in titles, few matches and many', async () => {
  const service = await manyConversations()
  const matches = (pattern: RegExp) => service.rows.filter(({ title }) => title !== null && pattern.test(title))
  const cases: [q: string, rows: Json[]][] = [
    ['zürich', matches(/zürich/i)],
    ['ZÜRICH reise', matches(/zürich/i)],
    ['voice 100%', matches(/invoice/i)], // more than are sorted
    ['invoice 77', matches(/invoice.*77/i)], // a short word has no index
    ['"ice', []],
    ['oice AND', []],
    ['1_0', []],
    ['nothing', []],
  ]
  for (const [q, rows] of cases) {
    const { ids, totals } = await walk(service, `sort=updated_at&q=${encodeURIComponent(q)}`)
    expect([q, ids]).toEqual([q, sorted(rows, 'updated_at', 'desc')])
    expect([q, new Set(totals)]).toEqual([q, new Set([rows.length])])
  }
  const past = (await service.get('/conversations?q=invoice&limit=100&page=99')).body
  expect([past.data, past.pagination.total]).toEqual([[], matches(/invoice/i).length])
  const { id } = service.rows[5]
  await service.put(`/conversations/${id}`, { title: 'Renamed: Zeppelin' })
  expect((await walk(service, 'q=zeppelin')).ids).toEqual([id])
  await service.put(`/conversations/${id}`, { title: null })
  expect((await walk(service, 'q=zeppelin')).ids).toEqual([])
  const elsewhere = (await service.post('/workspaces', { name: `Elsewhere ${id}` })).body.data.id
  const there = await service.get('/conversations?q=invoice', { headers: { 'x-workspace': elsewhere } })
  expect(there.body.pagination.total).toBe(0)
})

it('count what is there after every change', async () => {
  const service = await manyConversations()
  const { ctx, get, post, put, remove, workspace } = service
  const total = async (query = '') => (await get(`/conversations?limit=1&${query}`)).body.pagination.total
  const agent = (await post('/agents', { name: 'A' })).body.data.id
  const made = await Promise.all(Array.from({ length: 6 }, () => post('/conversations', { agent_id: agent })))
  const ids = made.map(({ body }) => body.data.id)
  expect([await total(), await total(`agent_id=${agent}`)]).toEqual([count + 6, 6])
  await put(`/conversations/${ids[0]}`, { status: 'completed' })
  await post(`/conversations/${ids[1]}/messages`, { message: 'Hi' })
  await remove(`/conversations/${ids[2]}`)
  expect(await total(`agent_id=${agent}&status=active`)).toBe(4)
  expect(await total(`agent_id=${agent}&status=completed`)).toBe(1)
  await ctx.db
    .deleteFrom('conversation')
    .where('workspace_id', '=', workspace)
    .where('agent_id', '=', 'agt_a')
    .execute()
  const left = service.rows.filter((row) => row.agent_id !== 'agt_a').length + 5
  expect([await total(), await total('agent_id=agt_a')]).toEqual([left, 0])
  expect(await total()).toBe(left)
  expect((await get('/status')).body.data.counts.conversations).toBe(left)
  const { ids: walked } = await walk(service, 'sort=updated_at')
  expect([walked.length, new Set(walked).size]).toEqual([left, left])
})
