import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'

/** Sends an MCP message with these headers, which `fetch` would not let through. */
async function send({ url, token }: { url: string; token: string }, headers: Record<string, string>, method = 'POST') {
  const { hostname, port } = new URL(url)
  const sent = request({
    hostname,
    port,
    path: '/api/mcp',
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  })
  sent.end(method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) : undefined)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode as number, body: await text(response) }
}

const statuses = async (service: { url: string; token: string }, tried: Record<string, string>[]) =>
  Promise.all(tried.map(async (headers) => [headers, (await send(service, headers)).status]))

describe('the MCP server', () => {
  it('refuses pages of other origins', async () => {
    const service = await startService()
    const { host } = new URL(service.url)
    const refused = ['https://evil.example', `https://evil.example:${new URL(service.url).port}`, 'null', '%']
    for (const origin of refused) {
      const { status, body } = await send(service, { origin })
      expect([origin, status, JSON.parse(body).code]).toEqual([origin, 403, 'forbidden'])
    }
    expect((await send(service, { origin: 'https://evil.example' }, 'GET')).status).toBe(403)
    expect((await send(service, { origin: 'https://evil.example' }, 'DELETE')).status).toBe(403)
    for (const origin of [`http://${host}`, `https://${host}`])
      expect([origin, (await send(service, { origin })).status]).toEqual([origin, 200])
    expect((await send(service, {})).status).toBe(200)
  })

  it('refuses names that it does not have, which a page could make resolve to it', async () => {
    const service = await startService()
    const { port } = new URL(service.url)
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '192.0.2.1',
      'a b',
    ]
    const tried = hosts.flatMap((host) => [{ host }, { host, origin: `http://${host}` }])
    for (const [headers, status] of await statuses(service, tried)) expect([headers, status]).toEqual([headers, 403])
    const own = ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'parley.localhost']
    for (const host of own) expect([host, (await send(service, { host })).status]).toEqual([host, 200])
  })

  it('takes its public URL and the origins of CORS_ORIGINS', async () => {
    const service = await startService({
      environment: { PUBLIC_URL: 'https://parley.example.com', CORS_ORIGINS: 'https://app.example.com' },
    })
    const allowed = [
      { host: 'parley.example.com' },
      { host: 'parley.example.com:443', origin: 'https://parley.example.com' },
      { host: 'localhost', origin: 'https://parley.example.com' }, // a proxy that sends its own name
      { host: 'parley.example.com', origin: 'https://app.example.com' },
      { host: 'app.example.com' },
    ]
    for (const [headers, status] of await statuses(service, allowed)) expect([headers, status]).toEqual([headers, 200])
    const refused = [
      { host: 'evil.example' },
      { host: 'parley.example.com.evil.example' },
      { host: 'parley.example.com', origin: 'https://evil.example' },
      { host: 'evil.example', origin: 'https://parley.example.com' },
    ]
    for (const [headers, status] of await statuses(service, refused)) expect([headers, status]).toEqual([headers, 403])
  })

  it('leaves names to a proxy that is trusted, and origins to CORS_ORIGINS=*', async () => {
    const proxied = await startService({ environment: { TRUST_PROXY: 'loopback' } })
    expect((await send(proxied, { host: 'parley.example.com' })).status).toBe(200)
    expect((await send(proxied, { host: 'parley.example.com', origin: 'https://parley.example.com' })).status).toBe(200)
    expect((await send(proxied, { host: 'parley.example.com', origin: 'https://evil.example' })).status).toBe(403)
    const open = await startService({ environment: { CORS_ORIGINS: '*' } })
    expect((await send(open, { origin: 'https://anywhere.example' })).status).toBe(200)
  })
})
