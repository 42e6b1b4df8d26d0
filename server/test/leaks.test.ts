import { expect, it } from 'vitest'
import { type Answer, type Json, type Service, startService } from './harness.ts'
import { marker, secretCompany } from './secret-company.ts'

type Company = Awaited<ReturnType<typeof secretCompany>>
type Hidden = Company['hidden']
type Fill = Record<string, string>

/** The same id, of something that does not exist. */
const missing = (id: string): string => id.replace(/_.*/, '_none')

const plain = (id: string): Fill[] => [{ id }]
const listDocuments = (company: Company): Fill[] => [
  { id: company.source, document: company.hidden.document },
  { id: company.source, document: company.hidden.rule },
  { id: company.hidden.source, document: company.hidden.inner },
]
const none = (_: Company): Fill[] => [{}]

/** How the parameters of a path are filled, or why its things are seen by everyone. A route without a rule fails the test. */
const rules: [pattern: RegExp, fills: ((company: Company) => Fill[]) | string][] = [
  [/^\/api\/agents\/:id/, ({ hidden, agent }) => [...plain(hidden.agent), { id: agent, version: '2' }]],
  [/^\/api\/knowledge-sources\/:id\/documents\/:document/, listDocuments],
  [/^\/api\/knowledge-sources\/:id\/syncs\/:sync$/, ({ hidden }) => [{ id: hidden.source, sync: hidden.sync }]],
  [/^\/api\/knowledge-sources\/:id\/tables\/:table$/, ({ hidden }) => [{ id: hidden.source, table: hidden.table }]],
  [/^\/api\/knowledge-sources\/:id/, ({ hidden, source }) => [...plain(hidden.source), ...plain(source)]],
  [/^\/api\/triggers\/:id\/fire$/, 'Whoever has its secret fires it.'],
  [/^\/api\/triggers\/:id/, ({ hidden }) => plain(hidden.trigger)],
  [/^\/api\/schedules\/:id/, ({ hidden }) => plain(hidden.schedule)],
  [/^\/api\/rag-tools\/:id/, ({ hidden, tool }) => [...plain(hidden.tool), ...plain(tool)]],
  [/^\/api\/retrieval-tools\/:id/, ({ hidden, search }) => [...plain(hidden.search), ...plain(search)]],
  [/^\/api\/monitors\/:id/, ({ hidden }) => plain(hidden.monitor)],
  [/^\/api\/reviews\/:id/, ({ hidden }) => plain(hidden.review)],
  [/^\/api\/evaluations\/:id\/runs\/:run/, ({ hidden }) => [{ id: hidden.evaluation, run: hidden.run }]],
  [/^\/api\/experiments\/:id/, ({ hidden }) => plain(hidden.experiment)],
  [/^\/api\/evaluations\/:id/, ({ hidden }) => [...plain(hidden.evaluation), ...plain(hidden.partial)]],
  [
    /^\/api\/conversations\/:id\/messages\/:message/,
    ({ hidden }) => [
      { id: hidden.conversation, message: hidden.message },
      { id: hidden.own, message: hidden.ownMessage },
    ],
  ],
  [
    /^\/api\/conversations\/:id/,
    ({ hidden }) => [hidden.conversation, hidden.own, hidden.waiting].map((id) => ({ id })),
  ],
  [/^\/api\/files\/:id/, ({ hidden }) => plain(hidden.file)],
  [/^\/api\/connections\/:id/, 'People see their own, and administrators all of them.'],
  [/^\/api\/connected-clients\/:id/, 'People see their own.'],
  [/^\/api\/approvals\/:id/, ({ hidden }) => plain(hidden.approval)],
  [/^\/api\/openai\/v1\/models\/:id/, ({ hidden }) => plain(hidden.agent)],
  [
    /^\/api\/openai\/v1\/conversations\/:id/,
    ({ hidden }) => [
      { id: hidden.conversation, item: hidden.message.replace(/^msg_(.*)/, 'mcp_$1_0') },
      { id: hidden.own, item: hidden.ownMessage.replace(/^msg_(.*)/, 'mcp_$1_0') },
    ],
  ],
  [/^\/api\/openai\/v1\/responses\/:id/, ({ hidden }) => plain(hidden.response)],
  [/^\/api\/usage\/thresholds\/:id/, ({ hidden }) => plain(hidden.threshold)],
  [/^\/api\/webhooks\/:id\/deliveries$/, ({ hook }) => plain(hook)],
  [/^\/api\/(webhooks|models|tokens|prompt-templates|api-tools)\/:id/, 'Those who read configuration see all of them.'],
  [/^\/api\/memories\/:id/, 'Only their person and administrators use them.'],
  [/^\/api\/workspaces/, 'Only owners use it.'],
  [/^\/api\/(users|user-jobs|invitations\/:id)/, 'Only administrators use it.'],
  [/^\/api\/auth\/(login|callback|session|logout|methods)$/, 'About the caller alone.'],
  [/^\/api\/(metrics|audit|audit\/verify)$/, 'Only administrators use it.'],
  [/^\/api\/[^:]*$/, none],
]

/** Bodies that name what is hidden, for the routes that viewers and users may use. Others get an empty one. */
const bodies: [route: RegExp, bodies: (hidden: Hidden) => object[]][] = [
  [/^POST \/api\/conversations$/, ({ agent }) => [{ agent_id: agent }]],
  [/^POST \/api\/conversations\/:id\/messages$/, () => [{ message: 'zebra?' }]],
  [/^POST \/api\/conversations\/:id\/messages\/:message\/feedback$/, () => [{ rating: 'up' }]],
  [
    /^POST \/api\/conversations\/:id\/messages\/:message\/approvals$/,
    () => [{ tool_call_id: 'call_a', approved: true }],
  ],
  [
    /^POST \/api\/conversations\/:id\/messages\/:message\/input$/,
    () => [{ tool_call_id: 'call_a', action: 'decline' }],
  ],
  [/^POST \/api\/approvals\/:id$/, () => [{ approved: true }]],
  [
    /^POST \/api\/openai\/v1\/chat\/completions$/,
    ({ agent }) => [{ model: agent, messages: [{ role: 'user', content: 'zebra?' }] }],
  ],
  [
    /^POST \/api\/openai\/v1\/responses$/,
    ({ agent, response }) => [
      { model: agent, input: 'zebra?' },
      { model: agent, input: 'zebra?', previous_response_id: response },
    ],
  ],
  [
    /^POST \/api\/mcp$/,
    ({ agent, inner, document, own, ownMessage, tool, search }) =>
      [
        { method: 'tools/list' },
        ...['ask_liluagent', `ask_${agent.slice(-6)}`, 'lilutool', 'lilusearch', tool, search].map((name) => ({
          method: 'tools/call',
          params: { name, arguments: { message: 'zebra?', query: 'zebra' } },
        })),
        ...[
          `documents/${inner}/0-50`,
          `documents/${document}/0-50`,
          `conversations/${own}/messages/${ownMessage}/citations/1`,
        ].map((path) => ({ method: 'resources/read', params: { uri: `parley://${path}` } })),
      ].map((each) => ({ jsonrpc: '2.0', id: 1, ...each })),
  ],
]

/** Parameters of a query that can name something. */
const isName = (parameter: string): boolean =>
  /(^|_)id$|^(q|name|description|title|search|before|after|compare_to)$/.test(parameter)

const filledPath = (url: string, fill: Fill): string =>
  url.replace(/:(\w+)/g, (_, name: string) => fill[name] ?? (name === 'version' ? '1' : 'none'))

const answerText = ({ body, headers }: Answer): string =>
  `${typeof body === 'string' ? body : JSON.stringify(body)} ${JSON.stringify([...headers])}`

/** The text without parts that differ with every request. */
const comparable = ({ status, body }: Answer, sent: string[]): Json => [
  status,
  typeof body === 'object' && body?.code
    ? body.code
    : [...sent]
        .reduce((text, each) => text.replaceAll(each, ''), JSON.stringify(body))
        .replace(/[\w-]*_none|req_\w+/g, ''),
]

it('no route shows or betrays what a caller may not see', async () => {
  const service = await startService()
  const company = await secretCompany(service)
  const { hidden, createToken } = company
  const elsewhere = { 'x-workspace': (await company.made('/workspaces', { name: 'Elsewhere' })).id as string }
  const foreign = async (role: string) =>
    (await company.made('/tokens', { name: role, role, user_id: 'ada', groups: ['hr'] }, { headers: elsewhere })).token
  const callers = [
    { who: 'viewer outside', token: (await createToken('viewer', 'ben')).token },
    { who: 'user outside', token: (await createToken('user', 'ben', ['sales'])).token },
    { who: 'viewer elsewhere', token: await foreign('viewer') },
    { who: 'user elsewhere', token: await foreign('user') },
  ]
  const insiders = [company.ada.token, (await createToken('viewer', 'vic', ['hr'])).token]
  const secrets = Object.values(hidden)
  const leaks: string[] = []
  const reached = new Set<string>()

  const check = (name: string, answer: Answer, sent: string[]) => {
    const text = sent.reduce((rest, each) => rest.replaceAll(each, ''), answerText(answer))
    const found = secrets.find((secret) => text.includes(secret)) ?? new RegExp(`${marker}\\w+`, 'i').exec(text)?.[0]
    if (found) leaks.push(`${name} shows ${Object.entries(hidden).find(([, id]) => id === found)?.[0] ?? found}`)
  }

  const visit = async (route: Service['routes'][number], fill: Fill) => {
    const method = route.method.toUpperCase()
    const name = `${method} ${route.url}`
    const sent = Object.values(fill).filter((id) => secrets.includes(id))
    const absent = Object.fromEntries(
      Object.entries(fill).map(([key, id]) => [key, sent.includes(id) ? missing(id) : id]),
    )
    const wanted =
      bodies.find(([pattern]) => pattern.test(name))?.[1](hidden) ?? (route.schema.body ? [{}] : [undefined])
    for (const { who, token } of callers) {
      for (const body of wanted) {
        const inBody = secrets.filter((secret) => JSON.stringify(body ?? '').includes(secret))
        const ask = (path: string, content: object | undefined) =>
          service.ask(method, path, { token, ...(content && { body: content }) })
        const answer = await ask(filledPath(route.url, fill), body)
        const all = [...sent, ...inBody, 'liluagent', 'lilutool', 'lilusearch']
        check(`${who}: ${name}`, answer, body ? all : sent)
        if (all.length === 3 && sent.length === 0) continue
        const text = inBody.reduce((rest, id) => rest.replaceAll(id, missing(id)), JSON.stringify(body ?? null))
        const other = await ask(filledPath(route.url, absent), JSON.parse(text) ?? undefined)
        const pair = [comparable(answer, all), comparable(other, all)]
        if (JSON.stringify(pair[0]) !== JSON.stringify(pair[1]))
          leaks.push(`${who}: ${name} differs: ${JSON.stringify(pair)}`)
      }
      if (method === 'GET' && who.endsWith('outside')) await filter(route, fill, who, token)
    }
    if (method !== 'GET' || sent.length === 0) return
    const seen = await Promise.all(
      insiders.map((token) =>
        fetch(service.url + filledPath(route.url, fill), { headers: { authorization: `Bearer ${token}` } }),
      ),
    )
    if (seen.some(({ status }) => status === 200)) reached.add(name)
    else if (seen.some(({ status }) => status !== 403)) leaks.push(`${name} is hidden from those who may see it`)
  }

  /** Lists and figures must be the same for the name of a hidden thing and for a name that nothing has. */
  const filter = async (route: Service['routes'][number], fill: Fill, who: string, token: string) => {
    const parameters = Object.keys((route.schema.querystring as Json)?.properties ?? {}).filter(isName)
    const path = filledPath(route.url, fill)
    for (const parameter of parameters) {
      for (const value of parameter.endsWith('id')
        ? [hidden.agent, hidden.source, hidden.conversation]
        : ['Liluagent']) {
        const get = (named: string) => service.get(`${path}?${parameter}=${encodeURIComponent(named)}`, { token })
        const answer = await get(value)
        if (answer.status === 403 || (answer.status === 404 && Object.keys(fill).length > 0)) return
        check(`${who}: GET ${route.url}?${parameter}`, answer, [value])
        const pair = [answer, await get(value === 'Liluagent' ? 'Zznone' : missing(value))].map((each) =>
          comparable(each, [value, 'Zznone']),
        )
        if (JSON.stringify(pair[0]) !== JSON.stringify(pair[1]))
          leaks.push(`${who}: ${route.url}?${parameter}=${value}: ${JSON.stringify(pair)}`)
      }
    }
  }

  for (const route of service.routes) {
    const rule = rules.find(([pattern]) => pattern.test(route.url))
    if (!rule) throw new Error(`${route.url} has no rule in this test: say how its parameters name something hidden`)
    const [, fills] = rule
    if (typeof fills === 'string') continue
    for (const fill of fills(company)) await visit(route, fill)
  }
  expect([...new Set(leaks)]).toEqual([])
  expect(reached.size).toBeGreaterThan(25)
}, 300_000)

it('what was found before a group was revoked is not shown on any route, nor replayed', async () => {
  const service = await startService()
  const { ada, own, hidden, agent } = await secretCompany(service)
  const { ask, post, get, put, routes } = service
  const found = /lilu(rule|own|inner)\w*|liluteam/i
  const path = `/conversations/${own.id}/messages`
  const once = { ...ada, headers: { 'idempotency-key': 'one' } }
  const first = await post(path, { message: 'And again, the zebra?' }, once)
  expect(JSON.stringify(first.body)).toMatch(found)
  const before = await get(`/conversations/${own.id}`, ada)
  expect(JSON.stringify(before.body)).toMatch(found)
  await put(`/tokens/${ada.id}`, { groups: [] })

  const replayed = await post(path, { message: 'And again, the zebra?' }, once)
  expect([replayed.status, replayed.body.code]).toEqual([422, 'idempotency_mismatch'])
  const etag = before.headers.get('etag') as string
  expect((await get(`/conversations/${own.id}`, { ...ada, headers: { 'if-none-match': etag } })).status).toBe(200)
  const fill = { id: own.id, message: own.message }
  const mcp = (method: string, params: object) => post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, ada)
  const uri = `parley://conversations/${own.id}/messages/${own.message}/citations/1`
  const { result } = JSON.parse(/data: (.*)/.exec((await mcp('tools/list', {})).body)?.[1] ?? '')
  const [tool] = result.tools.filter(({ name }: Json) => name.startsWith('ask_'))
  const shown: [string, Answer][] = [
    ['resources/read', await mcp('resources/read', { uri })],
    ['tools/call', await mcp('tools/call', { name: tool.name, arguments: { conversation_id: own.id } })],
    ['export', await get('/conversations/export', ada)],
    ['search', await get('/conversations?search=zebra', ada)],
  ]
  for (const { method, url } of routes) {
    if (method.toUpperCase() !== 'GET' || !/^\/api\/(conversations|openai\/v1\/responses)\/:id/.test(url)) continue
    const to = url.includes('responses') ? { id: hidden.response } : fill
    shown.push([url, await ask('GET', filledPath(url, to), ada)])
  }
  shown.push(['next', await post(path, { message: 'And the zebra?' }, ada)])
  const chat = { model: agent, messages: [{ role: 'user', content: 'zebra?' }] }
  shown.push(['chat', await post('/openai/v1/chat/completions', chat, ada)])
  for (const [name, answer] of shown) {
    expect([name, answer.status]).toEqual([name, 200])
    const text = answerText(answer)
    const leak = found.exec(text)?.[0] ?? [hidden.rule, hidden.document, hidden.inner].find((id) => text.includes(id))
    expect([name, leak]).toEqual([name, undefined])
  }
  expect(shown.length).toBeGreaterThan(10)
})
