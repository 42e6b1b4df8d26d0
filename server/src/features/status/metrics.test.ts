import { expect, it } from 'vitest'
import { type Json, type Service, startService } from '../../../test/harness.ts'

const scraper = { name: 'Prometheus', scopes: ['metrics'] }

const created = async ({ post }: Pick<Service, 'post'>, body: object): Promise<Json> => {
  const answer = await post('/tokens', body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

it('a token with the scope metrics reads the metrics and nothing else', async () => {
  const service = await startService({ own: true })
  const { ask, get, post, put, routes, url } = service
  for (const role of [undefined, 'viewer', 'owner']) {
    const made = await created(service, { ...scraper, ...(role && { role }) })
    expect([made.scopes, made.role]).toEqual([['metrics'], role ?? 'viewer'])
    const token = made.token as string
    const { status, body, headers } = await get('/metrics', { token })
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
    expect(body).toContain('parley_jobs{status="queued"}')
    for (const { method, url: path } of routes) {
      const name = `${method.toUpperCase()} ${path}`
      const isPublic =
        /\/(health|openapi|triggers\/:id\/fire|invitations\/accept|auth\/(session|methods|login|callback)|connections\/(callback|client))/.test(
          path,
        )
      if (isPublic || path === '/api/metrics') continue
      const refused = await ask(method.toUpperCase(), path.replace(/:\w+/g, 'none'), { token })
      expect([name, refused.status, refused.body.code ?? refused.body.error?.code]).toEqual([name, 403, 'forbidden'])
    }
    const session = await fetch(`${url}/api/auth/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'test' },
      body: JSON.stringify({ token }),
    })
    expect([session.status, session.headers.get('set-cookie')]).toEqual([403, null])
    const changed = await put(`/tokens/${made.id}`, { scopes: [] })
    expect([changed.status, changed.body.details[0].path]).toEqual([400, 'scopes'])
    const renamed = { name: 'Renamed', role: made.role, scopes: made.scopes }
    expect((await put(`/tokens/${made.id}`, renamed)).body.data).toMatchObject(renamed)
  }
  const plain = await post('/tokens', { name: 'Plain' })
  expect([plain.status, plain.body.details[0].path]).toEqual([400, 'role'])
  expect((await post('/tokens', { name: 'Other', scopes: ['everything'] })).body.details[0].path).toBe('scopes[0]')
  expect((await created(service, { name: 'Reader', role: 'viewer' })).scopes).toEqual([])
}, 120_000)

it('only an owner creates tokens for metrics, because they are about all workspaces', async () => {
  const { get, post, tokenFor } = await startService()
  const refused = await post('/tokens', scraper, { token: await tokenFor('admin') })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  for (const role of ['viewer', 'admin'] as const)
    expect((await get('/metrics', { token: await tokenFor(role) })).status).toBe(403)
  expect((await post('/tokens', scraper, { token: await tokenFor('owner') })).status).toBe(201)
})

it('metrics are also where Prometheus looks for them', async () => {
  const service = await startService()
  const { token } = await created({ post: (path, body) => service.post(path, body) }, scraper)
  const read = (path: string, headers = {}) => fetch(`${service.url}${path}`, { headers })
  for (const path of ['/metrics', '/metrics?x=1', '/api/metrics', '/api/v1/metrics']) {
    const { status, headers } = await read(path, { authorization: `Bearer ${token}` })
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, expect.stringContaining('text/plain')])
    const anonymous = await read(path)
    expect([path, anonymous.status, ((await anonymous.json()) as Json).code]).toEqual([path, 401, 'unauthenticated'])
  }
})

it('metrics are read while the database is down, with a token that was valid before', async () => {
  const service = await startService({ own: true })
  const { token } = await created(service, scraper)
  const { token: other } = await created(service, scraper)
  expect((await service.get('/metrics', { token })).body).toContain('parley_database_up 1')
  await service.ctx.nodes.close() // it has a connection of its own
  await service.ctx.db.destroy()
  const { status, body } = await service.get('/metrics', { token })
  expect(status).toBe(200)
  expect(body).toContain('parley_database_up 0')
  expect(body).toContain('parley_jobs{status="queued"}')
  expect(body).toContain('parley_http_requests_total{method="GET",route="/api/metrics",status="200"}')
  expect((await service.get('/metrics', { token: other })).status).not.toBe(200)
})
