import { readFileSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { startSite } from '@parley/crawler/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { closedPort } from '../../../test/closed-port.ts'
import { startNameServer } from '../../../test/name-server.ts'
import { Problem } from '../errors.ts'
import { createEgress, type EgressError, type EgressRequest, type Resolve } from './egress.ts'

function guard(allow: string[] = ['127.0.0.1'], resolve?: Resolve) {
  const egress = createEgress(allow, resolve)
  onTestFinished(() => egress.close())
  return egress
}

const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no failure',
    (error: EgressError | Problem) => ('kind' in error ? error.kind : error.code),
  )

/** A server that says just these bytes to whoever connects. */
async function startRaw(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('data', () => talk(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('URLs that are refused without a request', () => {
  it.each([
    // loopback, in every way to write it
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://127。0。0。1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127%2e0%2e0%2e1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[::ffff:0:127.0.0.1]/',
    // private, shared, link-local, multicast, reserved
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://0xa9fea9fe/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[fec0::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://0.0.0.0/',
    'http://0/',
    'http://255.255.255.255/',
    'http://224.0.0.1/',
    'http://[ff02::1]/',
    'http://240.0.0.1/',
    'http://198.18.0.1/',
    'http://192.0.2.1/',
    'http://[2001:db8::1]/',
    'http://[2001::1]/',
    'http://[3fff::1]/',
    'http://[::]/',
    'http://[4000::1]/',
    // not a place to call
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://:secret@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/plain,x',
    'javascript:1',
    'ws://example.com/',
    'unix:/var/run/docker.sock',
    'http://',
    'example.com',
    '',
    'http://256.1.1.1/',
    'http://example.com:22/',
    'http://example.com:25/',
    'http://example.com:6667/',
    'http://example.com:0/',
    'http://example.com:99999/',
  ])('%s', async (address) => {
    const egress = guard([])
    expect(() => egress.check(address)).toThrow(Problem)
    expect(await failure(egress.request(address))).toBe('egress_blocked')
    expect(await failure(egress.fetch(address))).toBe('egress_blocked')
  })

  it.each([
    'https://example.com/',
    'http://8.8.8.8/',
    'https://[2606:4700::1111]:8443/',
    'http://EXAMPLE.com./a?b#c',
    'https://bücher.example/',
  ])('%s may be called', (address) => expect(guard([]).check(address)).toBeInstanceOf(URL))
})

describe('what an operator allows', () => {
  const may = (allow: string[], address: string): boolean => {
    try {
      return Boolean(guard(allow).check(address))
    } catch {
      return false
    }
  }

  it.each([
    ['10.1.2.3', 'http://10.1.2.3/', true],
    ['10.1.2.3', 'http://10.1.2.4/', false],
    ['10.0.0.0/8', 'https://10.200.0.1:8443/', true],
    ['10.0.0.0/8', 'http://[::ffff:10.0.0.1]/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', true], // it is public
    ['10.0.0.0/8', 'http://172.16.0.1/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['fd00::/8', 'http://[fe80::1]/', false],
    ['::1', 'http://[::1]:3000/', true],
    ['[::1]', 'http://[::1]:3000/', true],
    ['[::1]:3000', 'http://[::1]:3000/', true],
    ['[::1]:3000', 'http://[::1]:3001/', false],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/', true],
    ['127.0.0.1:8080', 'http://127.0.0.1/', false],
    ['127.0.0.1:80', 'http://127.0.0.1/', true],
    ['127.0.0.1:443', 'https://127.0.0.1/', true],
    ['127.0.0.1:443', 'http://127.0.0.1/', false],
    ['127.0.0.1', 'http://127.0.0.1:25/', false],
  ])('%s for %s: %s', (entry, address, allowed) => {
    expect(may([entry], address)).toBe(allowed)
  })

  it.each([
    ['inner.test', 'inner.test', true],
    ['inner.test', 'INNER.test.', true],
    ['inner.test', 'deep.inner.test', false],
    ['*.inner.test', 'deep.inner.test', true],
    ['*.inner.test', 'inner.test', false],
    ['*.inner.test', 'evilinner.test', false],
    ['127.0.0.1', 'inner.test', true],
    ['127.0.0.0/8', 'inner.test', true],
    ['other.test', 'inner.test', false],
    ['inner.test:PORT', 'inner.test', true],
    ['inner.test:1', 'inner.test', false],
  ])('%s for a name %s that leads to loopback: %s', async (entry, host, allowed) => {
    const site = await startSite({ '/': 'inside' })
    const egress = guard([entry.replace('PORT', String(site.port))], (_host, answer) =>
      answer(null, [{ address: '127.0.0.1', family: 4 }]),
    )
    const asked = egress.request(`http://${host}:${site.port}/`)
    if (allowed) expect((await asked).body.toString()).toBe('inside')
    else expect(await failure(asked)).toBe('egress_blocked')
    expect(site.requests).toHaveLength(allowed ? 1 : 0)
  })
})

describe('host names', () => {
  it('connects to the checked address even if the name changes in between', async () => {
    const site = await startSite({ '/': { headers: { connection: 'close' }, body: 'inside' } })
    const names = await startNameServer((_name, times) => [times === 1 ? '127.0.0.2' : '127.0.0.1'])
    const egress = guard(['127.0.0.1'], names.resolve)
    // The first answer is not allowed; that the second one would be helps nobody.
    expect(await failure(egress.request(`http://rebind.test:${site.port}/`))).toBe('egress_blocked')
    expect(names.questions).toEqual(['rebind.test'])
    expect((await egress.request(`http://rebind.test:${site.port}/`)).body.toString()).toBe('inside')
    expect(names.questions).toHaveLength(2) // one question for one connection: what was checked is what was opened
  })

  it('checks every new connection, even to a known host', async () => {
    const site = await startSite({ '/': { headers: { connection: 'close' }, body: 'inside' } })
    const names = await startNameServer((_name, times) => [times === 1 ? '127.0.0.1' : '127.0.0.2'])
    const egress = guard(['127.0.0.1'], names.resolve)
    expect((await egress.request(`http://rebind.test:${site.port}/`)).status).toBe(200)
    expect(await failure(egress.request(`http://rebind.test:${site.port}/`))).toBe('egress_blocked')
    expect(await failure(egress.fetch(`http://rebind.test:${site.port}/`))).toBe('egress_blocked')
    expect(site.requests).toHaveLength(1)
  })

  it('refuses a name if one of its addresses is not allowed', async () => {
    const names = await startNameServer(() => ['8.8.8.8', '10.0.0.1'])
    expect(await failure(guard([], names.resolve).request('http://mixed.test/'))).toBe('egress_blocked')
  })

  it('reports an unknown name', async () => {
    const names = await startNameServer(() => [])
    expect(await failure(guard([], names.resolve).request('http://nowhere.test/'))).toBe('dns')
    const noAddresses: Resolve = (_host, answer) => answer(null, [])
    expect(await failure(guard([], noAddresses).request('http://nowhere.test/'))).toBe('dns')
  })

  it('reuses a connection that was checked', async () => {
    const site = await startSite({ '/': 'inside' })
    const names = await startNameServer(() => ['127.0.0.1'])
    const egress = guard(['127.0.0.1'], names.resolve)
    for (let n = 0; n < 10; n++) await egress.request(`http://kept.test:${site.port}/`)
    expect(names.questions.length).toBeLessThan(5)
  })
})

describe('redirects', () => {
  const to = (location: string, status = 302) => ({ status, headers: { location } })

  it('are returned unless they may be followed', async () => {
    const site = await startSite({ '/': to('/there'), '/there': 'there' })
    expect((await guard().request(site.url)).status).toBe(302)
    expect((await guard().fetch(site.url)).status).toBe(302)
    expect(await guard().request(site.url, { redirects: 1 })).toMatchObject({ status: 200, url: `${site.url}/there` })
  })

  it.each([301, 302, 303, 307, 308])(
    'with %i to a private place, another scheme or a user name are refused',
    async (status) => {
      const targets = [
        'http://127.0.0.2/',
        'http://169.254.169.254/',
        'http://[::1]/',
        'file:///etc/passwd',
        'http://u:p@127.0.0.1/',
        'http://2130706434/',
      ]
      const site = await startSite((path) => to(targets[Number(path.slice(1))] ?? '', status))
      for (const index of targets.keys())
        expect([targets[index], await failure(guard().request(`${site.url}/${index}`, { redirects: 5 }))]).toEqual([
          targets[index],
          'egress_blocked',
        ])
    },
  )

  it('end after the permitted number, also in a loop', async () => {
    const site = await startSite({ '/': to('/') })
    expect((await guard().request(site.url, { redirects: 7 })).status).toBe(302)
    expect(site.requests).toHaveLength(8)
  })

  it('to an invalid URL are reported', async () => {
    const site = await startSite({ '/': to('http://[') })
    expect(await failure(guard().request(site.url, { redirects: 1 }))).toBe('malformed')
  })

  it.each([
    [303, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [302, 'PUT', 'PUT', 'body'],
    [307, 'POST', 'POST', 'body'],
    [308, 'PUT', 'PUT', 'body'],
  ])('with %i turn %s into %s', async (status, method, then, body) => {
    const site = await startSite({ '/': to('/there', status), '/there': 'there' })
    await guard().request(site.url, { method, body: 'body', headers: { 'content-type': 'text/x' }, redirects: 1 })
    expect(site.requests[1]).toMatchObject({ method: then, body })
    expect(site.requests[1]?.headers['content-type']).toBe(body === '' ? undefined : 'text/x')
  })

  it('send no credentials to another origin', async () => {
    const other = await startSite({ '/': 'other' })
    const site = await startSite({ '/': to('/here'), '/here': to(other.url) })
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Api-Key': 'k', accept: 'text/plain' }
    await guard().request(site.url, { headers, redirects: 5, secretHeaders: ['x-api-key'] })
    expect(site.requests[1]?.headers).toMatchObject({ authorization: 'Bearer x', 'x-api-key': 'k' })
    const seen = other.requests[0]?.headers ?? {}
    expect([seen.authorization, seen.cookie, seen['x-api-key'], seen.accept]).toEqual([
      undefined,
      undefined,
      undefined,
      'text/plain',
    ])
  })
})

describe('limits', () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(64 * 1024)
  }
  const limits: EgressRequest = { maxBytes: 100_000, timeout: 60_000 }

  it('on a body that is too large or never ends', async () => {
    const site = await startSite({
      '/large': { body: Buffer.alloc(100_001) },
      '/exact': { body: Buffer.alloc(100_000) },
      '/endless': (_request, response) => void Readable.from(endless()).pipe(response),
    })
    expect(await failure(guard().request(`${site.url}/large`, limits))).toBe('too_large')
    expect(await failure(guard().request(`${site.url}/endless`, limits))).toBe('too_large')
    expect((await guard().request(`${site.url}/exact`, limits)).body).toHaveLength(100_000)
    expect((await guard().request(`${site.url}/endless`, { ...limits, truncate: true })).body).toHaveLength(100_000)
    expect((await guard().request(`${site.url}/endless`, { ...limits, wantsBody: () => false })).body).toHaveLength(0)
  })

  it('on the body that a library reads', async () => {
    const site = await startSite({ '/': (_request, response) => void Readable.from(endless()).pipe(response) })
    const answer = await guard().fetch(site.url)
    await expect(answer.arrayBuffer()).rejects.toThrow('larger than')
  })

  const bomb = Buffer.alloc(50 * 1024 * 1024)
  it.each([
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['zstd', zstdCompressSync(bomb)],
    ['gzip, gzip', gzipSync(gzipSync(bomb))],
  ])('on a decompression bomb with %s', async (encoding, body) => {
    const site = await startSite({ '/': { headers: { 'content-encoding': encoding }, body } })
    expect(body.length).toBeLessThan(60_000)
    expect(await failure(guard().request(site.url, limits))).toBe('too_large')
  })

  it('on the size of headers, and on headers without end', async () => {
    const big = await startRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`))
    expect(await failure(guard().request(big, limits))).toBe('too_large')
    const many = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = () => void (socket.writable && socket.write(`x: ${'a'.repeat(1000)}\r\n`, () => setImmediate(more)))
      more()
    })
    expect(await failure(guard().request(many, limits))).toBe('too_large')
  })

  it.each([
    ['silent', () => {}],
    ['slow with its headers', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: y\r\n', 'x: y\r\n')],
    ['slow with its body', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'a')],
    ['forever about to answer', (socket: Socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('on the time of a server that is %s', async (_what, talk) => {
    const address = await startRaw(talk)
    expect(await failure(guard().request(address, { timeout: 300 }))).toBe('timeout')
  })

  function drip(socket: Socket, first: string, piece: string) {
    socket.write(first)
    const timer = setInterval(() => void socket.write(piece), 20)
    socket.once('close', () => clearInterval(timer))
  }
})

describe('kinds of errors', () => {
  it('a closed port', async () => {
    expect(await failure(guard().request(`http://127.0.0.1:${await closedPort()}/`))).toBe('refused')
  })

  it.each([
    ['a connection that is reset', 'connection', (socket: Socket) => void socket.resetAndDestroy()],
    ['a connection that is closed', 'connection', (socket: Socket) => void socket.end()],
    [
      'a body that breaks off',
      'connection',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'),
    ],
    ['something that is not HTTP', 'malformed', (socket: Socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['a status that is none', 'malformed', (socket: Socket) => void socket.end('HTTP/1.1 hello\r\n\r\n')],
    [
      'a body that is not packed as it says',
      'malformed',
      (socket: Socket) =>
        void socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello'),
    ],
  ])('%s', async (_what, kind, talk) => {
    const address = await startRaw(talk)
    expect(await failure(guard().request(address))).toBe(kind)
  })

  it('an untrusted certificate, and a server without TLS', async () => {
    const pem = readFileSync(new URL('../../../test/self-signed.pem', import.meta.url))
    const server = createSecureServer({ key: pem, cert: pem }, (_request, response) => response.end('secret'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    expect(await failure(guard().request(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`))).toBe('tls')
    const plain = await startRaw((socket) => void socket.end('hello'))
    expect(await failure(guard().request(plain.replace('http:', 'https:')))).toBe('tls')
  })

  it('an abort rejects with the reason of the caller', async () => {
    const address = await startRaw(() => {})
    const control = new AbortController()
    const asked = guard().request(address, { signal: control.signal })
    control.abort(new Error('changed my mind'))
    await expect(asked).rejects.toThrow('changed my mind')
  })
})

it('offers a fetch that accepts Request objects', async () => {
  const site = await startSite({ '/': { headers: { 'x-answer': 'yes' }, body: '{"a":1}' } })
  const egress = guard()
  const answer = await egress.fetch(new Request(site.url, { method: 'POST', body: 'hello', headers: { 'x-own': '1' } }))
  expect([answer.ok, answer.headers.get('x-answer'), await answer.json(), answer.url]).toEqual([
    true,
    'yes',
    { a: 1 },
    `${site.url}/`,
  ])
  expect(site.requests[0]).toMatchObject({ method: 'POST', body: 'hello', headers: { 'x-own': '1' } })
  expect(await (await egress.fetch(site.url, { method: 'PUT', body: 'x' })).text()).toBe('{"a":1}')
  expect(site.requests[1]).toMatchObject({ method: 'PUT', body: 'x' })
})
