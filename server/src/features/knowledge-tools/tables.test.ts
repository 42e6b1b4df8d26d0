import { SqlError } from '@parley/tables'
import { describe, expect, it } from 'vitest'
import { type Json, type Service, startService } from '../../../test/harness.ts'
import { knowledge } from '../../../test/knowledge.ts'
import { stageOn } from '../../../test/stage.ts'
import { requireFits } from './tables/query.ts'

const sales = `Product,Units sold,Price,Launch,Active
Lamp,"1,200",$19.90,2024-01-31,yes
Chair,30,"$1,119.00",2023-05-02,no
Desk,7,$250,2020-12-24,yes
Sofa,"1,200",$900,2021-12-24,no
Total,"2,437",,,
`
const report = `# Staff

Some words.

| Name | City | Salary |
| --- | --- | --- |
| Ada | Berlin | 5000 |
| Ben | Hamburg | 4000 |
| Cleo | Berlin | 6000 |
`

async function shop(service: Service, more: object = {}) {
  const { make, upload, settled } = knowledge(service)
  const source = await make(more)
  await upload(source, { 'sales.csv': sales, 'report.md': report })
  await settled(source)
  const path = `/knowledge-sources/${source}/tables`
  const tables: Json[] = (await service.get(`${path}?order=asc&sort=title`)).body.data
  const body = { name: 'Shop', knowledge_source_ids: [source], embedding_model: 'parley-static-256', tables: true }
  const tool = (await service.post('/retrieval-tools', body)).body.data
  const query = (sql: string, options: object = {}) =>
    service.post(`/retrieval-tools/${tool.id}/tables/query`, { sql }, options)
  const named = (title: string): Json => tables.find((table) => table.title === title)
  return { source, path, tables, tool, query, staff: named('Staff'), sold: named('sales') }
}

describe('tables', () => {
  it('are found at sync with typed columns, kept through a sync, and deleted with their document', async () => {
    const service = await startService()
    const { source, path, tables, sold, staff } = await shop(service)
    const { get, remove } = service
    expect(tables.map(({ title, row_count }) => [title, row_count])).toEqual([
      ['Staff', 3],
      ['sales', 5],
    ])
    expect(sold.id).toMatch(/^tbl_/)
    expect(sold.sql_name).toBe(`sales_${sold.id.slice(-8)}`)
    expect([sold.total_rows, staff.total_rows]).toEqual([[5], []])
    expect(sold.columns).toEqual([
      { name: 'Product', sql_name: 'product', type: 'text' },
      { name: 'Units sold', sql_name: 'units_sold', type: 'number' },
      { name: 'Price', sql_name: 'price', type: 'number' },
      { name: 'Launch', sql_name: 'launch', type: 'date' },
      { name: 'Active', sql_name: 'active', type: 'boolean' },
    ])
    expect(sold.rows[0]).toEqual(['Lamp', 1200, 19.9, '2024-01-31', true])
    const page = (await get(`${path}/${staff.id}?page=2&limit=2`)).body
    expect(page.data.rows).toEqual([['Cleo', 'Berlin', 6000]])
    expect(page.pagination).toEqual({ page: 2, limit: 2, total: 3, pages: 2 })
    const [position] = page.data.positions
    const content = `/knowledge-sources/${source}/documents/${staff.document_id}/content`
    const { text } = (await get(`${content}?start=${position.start}&end=${position.end}`)).body.data
    expect([position.row, text]).toEqual([3, '| Cleo | Berlin | 6000 |'])
    const filtered = (await get(`${path}/${staff.id}?q=berlin`)).body
    expect(filtered.data.positions.map(({ row }: Json) => row)).toEqual([1, 3])
    expect(filtered.pagination.total).toBe(2)

    const { upload, settled } = knowledge(service)
    await upload(source, { 'report.md': report.replace('Hamburg', 'Bremen') })
    await settled(source)
    const changed = (await get(`${path}/${staff.id}`)).body.data
    expect([changed.sql_name, changed.rows[1][1]]).toEqual([staff.sql_name, 'Bremen'])
    await remove(`/knowledge-sources/${source}/documents/${staff.document_id}`)
    expect((await get(`${path}/${staff.id}`)).status).toBe(404)
    expect((await get(path)).body.pagination.total).toBe(1)
  })

  it('are queried with SQL, and results cite the rows that they rest on', async () => {
    const service = await startService()
    const { source, query, sold, staff } = await shop(service)
    const cases: [string, unknown[][], number[]][] = [
      [
        `SELECT product FROM ${sold.sql_name} WHERE units_sold > 100 AND active IS NOT NULL`,
        [['Lamp'], ['Sofa']],
        [1, 4],
      ],
      [`select count(*) from ${sold.sql_name} where active`, [[2]], [1, 3]],
      [`select product, price from ${sold.sql_name} order by price desc limit 1`, [['Chair', 1119]], [2]],
      [`select active from ${sold.sql_name} where product = 'Desk';`, [[true]], [3]],
    ]
    for (const [sql, rows, cited] of cases) {
      const { status, body } = await query(sql)
      expect([sql, status, body.data.rows]).toEqual([sql, 200, rows])
      expect([sql, body.data.citations[0].rows, body.data.citations.length]).toEqual([sql, cited, 1])
    }
    const grouped = (
      await query(`SELECT city, sum(salary) AS paid FROM ${staff.sql_name} GROUP BY city HAVING paid > 5000`)
    ).body.data
    expect(grouped).toMatchObject({ columns: ['city', 'paid'], rows: [['Berlin', 11000]], truncated: false })
    const [{ table_id, rows, document_id, start, end }] = grouped.citations
    expect([table_id, rows, document_id]).toEqual([staff.id, [1, 3], staff.document_id])
    const text = await knowledge(service).text(source, document_id)
    expect(text.slice(start, end)).toBe(report.trim().split('\n').slice(-3).join('\n'))
    const many = `SELECT a.rowid FROM ${sold.sql_name} a, ${sold.sql_name} b, ${sold.sql_name} c, ${sold.sql_name} d, ${sold.sql_name} e`
    const cut = (await query(many)).body.data
    expect([cut.rows.length, cut.truncated]).toEqual([1000, true])
  })

  it('refuse anything but one reading statement, and say what is wrong', async () => {
    const service = await startService()
    const { query, sold, tool } = await shop(service)
    const cases: [string, RegExp][] = [
      [`DELETE FROM ${sold.sql_name}`, /Only reading is allowed/],
      [`WITH a AS (SELECT 1) DELETE FROM ${sold.sql_name}`, /Only reading is allowed/],
      [`SELECT 1; DROP TABLE ${sold.sql_name}`, /Only one statement/],
      ["ATTACH '/tmp/x' AS x", /Only reading/],
      ['PRAGMA table_list', /Only reading/],
      ['SELECT * FROM knowledge_source', new RegExp(`No such table: knowledge_source. There are: .*${sold.sql_name}`)],
      ['SELECT * FROM sqlite_master', /There is no table sqlite_master/],
      ["SELECT load_extension('x')", /load_extension/],
      [`SELECT absent FROM ${sold.sql_name}`, /No such column: absent. There are: .*units_sold/],
      ['SELECT sum(', /Incomplete input/],
      ['-- nothing', /empty/],
      ['SELECT randomblob(2000000000)', /too long/],
    ]
    for (const [sql, message] of cases) {
      const { status, body } = await query(sql)
      expect([sql, status, body.code]).toEqual([sql, 400, 'invalid_sql'])
      expect(body.error).toMatch(message)
    }
    await service.put(`/retrieval-tools/${tool.id}`, { tables: false })
    expect((await query('SELECT 1')).body).toMatchObject({ code: 'invalid_request', details: [{ path: 'tables' }] })
  })

  it('are refused if a query names more of them than the memory holds', () => {
    const table = { sql_name: 't', start: 100, end: 20_000_100 }
    requireFits([table, table])
    expect(() => requireFits([table, table, table])).toThrow(
      new SqlError('The tables of this query have 60 million characters, more than 40. Name fewer of them.'),
    )
  })

  it('are queried by one person while another one runs slow statements', async () => {
    const service = await startService()
    const { query, staff, tool } = await shop(service)
    const slow = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r'
    const leave = new AbortController()
    const finished: string[] = []
    const ada = await service.tokenFor('editor', { user_id: 'ada' })
    const ben = { token: await service.tokenFor('editor', { user_id: 'ben' }) }
    const runSlow = async () => {
      const request = {
        method: 'POST',
        headers: { authorization: `Bearer ${ada}`, 'content-type': 'application/json' },
        body: JSON.stringify({ sql: slow }),
        signal: leave.signal,
      }
      await fetch(`${service.url}/api/retrieval-tools/${tool.id}/tables/query`, request).catch(() => {})
      finished.push('ada')
    }
    const held = [runSlow(), runSlow(), runSlow()]
    const answer = await query(`SELECT count(*) FROM ${staff.sql_name}`, ben)
    expect([answer.body.data.rows, finished]).toEqual([[[3]], []])
    leave.abort()
    await Promise.all(held)
  })

  it('exist only for those who may see their document, and only within the filters of the tool', async () => {
    const service = await startService()
    const { path, query, staff, sold, tool } = await shop(service, {
      access_rules: [{ path: 'report*', access: { groups: ['hr'] } }],
    })
    const titles = async (options: object) =>
      (await service.get(path, options)).body.data.map(({ title }: Json) => title)
    const body = { name: 'ben', role: 'viewer', user_id: 'ben' }
    const { token } = (await service.post('/tokens', body)).body.data
    expect(await titles({ token })).toEqual(['sales'])
    expect((await service.get(`${path}/${staff.id}`, { token })).status).toBe(404)
    const asBen = { headers: { 'x-seen-as': 'user_id=ben' } }
    const asHr = { headers: { 'x-seen-as': 'user_id=eve; groups=hr' } }
    expect(await titles(asBen)).toEqual(['sales'])
    const sql = `SELECT name FROM ${staff.sql_name}`
    const hidden = await query(sql, asBen)
    expect([hidden.status, hidden.body.error]).toEqual([
      400,
      `No such table: ${staff.sql_name}. There are: ${sold.sql_name}.`,
    ])
    expect((await query(sql, asHr)).body.data.rows).toHaveLength(3)
    expect((await query(sql)).body.data.rows).toHaveLength(3)
    await service.put(`/retrieval-tools/${tool.id}`, { filters: { source: 'sales.csv' } })
    expect((await query(sql)).body.code).toBe('invalid_sql')
    expect((await query(`SELECT 1 FROM ${sold.sql_name}`)).status).toBe(200)
  })

  it('are two tools of an agent, whose reply cites rows', async () => {
    const service = await startService()
    const { tool, staff } = await shop(service)
    const { provider, agent, put, talk, say } = await stageOn(service)
    await put(`/agents/${agent}`, { tools: [tool.id] })
    const call = (name: string, input: object) => ({
      toolCalls: [{ id: name, name, arguments: JSON.stringify(input) }],
    })
    provider.next(call('find_tables', { query: 'Who earns how much?' }))
    provider.next(
      call('query_table', { sql: `SELECT name, salary FROM ${staff.sql_name} ORDER BY salary DESC LIMIT 1` }),
    )
    provider.next({ deltas: ['Cleo earns most: 6000 [1].'] })
    const { data } = (await say(await talk(), 'Who earns most?')).body
    const names = ((provider.requests[0]?.body.tools ?? []) as Json[]).map((each) => each.function.name)
    expect(names).toEqual(['Shop', 'find_tables', 'query_table'])
    const [found, queried] = data.tool_calls.map(({ result }: Json) => JSON.parse(result))
    expect(found.tables[0]).toMatchObject({
      table: staff.sql_name,
      title: 'Staff',
      row_count: 3,
      columns: [{}, { column: 'city', type: 'text', values: ['Berlin', 'Hamburg'] }, {}],
      first_rows: [['Ada', 'Berlin', 5000], {}, {}],
    })
    expect(queried).toMatchObject({ columns: ['name', 'salary'], rows: [['Cleo', 6000]] })
    expect(data.citations).toMatchObject([
      { index: 1, table_id: staff.id, rows: [3], document_id: staff.document_id, quote: '| Cleo | Berlin | 6000 |' },
    ])
  })

  it('are found among hundreds, which are read in batches', async () => {
    const service = await startService()
    const { upload, settled } = knowledge(service)
    const { source, tool, staff } = await shop(service)
    const pipes = Array.from({ length: 600 }, (_, at) => `# ${at}\n\n| Bore | Wall |\n| --- | --- |\n| ${at} | 3 |`)
    await upload(source, { 'pipes.md': pipes.join('\n\n') })
    await settled(source)
    expect((await service.get(`/knowledge-sources/${source}/tables?limit=1`)).body.pagination.total).toBe(602)
    const { provider, agent, put, talk, say } = await stageOn(service)
    await put(`/agents/${agent}`, { tools: [tool.id] })
    const input = JSON.stringify({ query: 'Which salary does the staff in Berlin get?' })
    provider.next({ toolCalls: [{ id: 'find', name: 'find_tables', arguments: input }] })
    provider.next({ deltas: ['I see.'] })
    const { data } = (await say(await talk(), 'What does the staff in Berlin earn?')).body
    expect(JSON.parse(data.tool_calls[0].result).tables[0].table).toBe(staff.sql_name)
    const unknown = await service.post(`/retrieval-tools/${tool.id}/tables/query`, { sql: 'SELECT 1 FROM missing' })
    expect(unknown.body.error).toMatch(/There are: .*, …\.$/)
  })

  it('are queried by the local model, which shows its SQL, and else searches', async () => {
    const service = await startService()
    const { tool, staff, sold, source } = await shop(service)
    const agent = (await service.post('/agents', { name: 'A', tools: [tool.id] })).body.data.id
    const conversation = (await service.post('/conversations', { agent_id: agent })).body.data.id
    const ask = async (message: string) =>
      (await service.post(`/conversations/${conversation}/messages`, { message })).body.data
    const counted = await ask('How many staff are in Berlin?')
    const sql = `SELECT count(*) AS count FROM ${staff.sql_name} WHERE city = 'Berlin'`
    expect(counted.content).toBe(`Number of rows, City = Berlin (Staff): 2 [1][2]\n\n\`\`\`sql\n${sql}\n\`\`\``)
    expect(counted.tool_calls.map(({ name }: Json) => name)).toEqual(['find_tables', 'query_table'])
    expect(counted.citations.map(({ rows, quote }: Json) => [rows, quote])).toEqual([
      [[1], '| Ada | Berlin | 5000 |'],
      [[3], '| Cleo | Berlin | 6000 |'],
    ])
    const total = await ask('How many units sold in total?')
    expect(total.content).toContain(`sum(units_sold) AS total FROM ${sold.sql_name} WHERE rowid NOT IN (5)`)
    expect(total.content).toMatch(/^Sum of Units sold \(sales\): 2437 /)
    const rag = { name: 'Papers', knowledge_source_id: source, embedding_model: 'parley-static-256', tables: true }
    const { id } = (await service.post('/rag-tools', rag)).body.data
    await service.put(`/agents/${agent}`, { tools: [id] })
    expect((await ask('What is the average salary?')).content).toMatch(/^Average of Salary \(Staff\): 5000 \[1\]/)
    await service.put(`/agents/${agent}`, { tools: [tool.id] })
    const searched = await ask('How many umbrellas does the moon have?')
    expect(searched.tool_calls.map(({ name }: Json) => name)).toEqual(['find_tables', 'Shop'])
    expect(searched.content).toMatch(/^(Closest passages|Nothing)/)
  })
})
