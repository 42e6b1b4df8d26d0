import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { closedPort } from '../../../../test/closed-port.ts'
import { type Json, type Service, startService, until } from '../../../../test/harness.ts'
import { mainThreadWork } from '../../../../test/main-thread.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'

const anything = { type: 'object', properties: { a: {}, b: {} } }
let count = 0

async function make({ post }: Pick<Service, 'post'>, more: object): Promise<string> {
  const { status, body } = await post('/api-tools', {
    name: `t${count++}`,
    description: 'D',
    parameters: anything,
    ...more,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}

async function withApi(...play: Parameters<typeof scriptedApi>) {
  const service = await startService(mayCallLoopback)
  const api = await scriptedApi(...play)
  return {
    ...service,
    api,
    async call(more: object, args: object = {}): Promise<Json> {
      const id = await make(service, { url: `${api.url}/x`, ...more })
      return (await service.post(`/api-tools/${id}/test`, { arguments: args })).body
    },
  }
}

const hostile = [
  '../../etc/passwd',
  '..\\..\\windows',
  'a/b?c=d#e&f=g',
  '@evil.example',
  '//evil.example/',
  'http://evil.example',
  'x\r\nHost: evil.example\r\n\r\nGET /two',
  "'; drop table api_tool; --",
  '"><script>',
  '\\"}',
  '{a}',
  '{{b}}',
  '$' + '{process.env}',
  '%2e%2e%2f',
  '%00',
  '\u202e𝄞é\u2028',
  ' ',
  '__proto__',
  'constructor',
  '-1e999',
]

describe('a value in the path', () => {
  it('stays in its segment', async () => {
    const { api, post, ...service } = await withApi()
    const id = await make({ post }, { url: `${api.url}/v1/{a}/end` })
    for (const value of hostile) {
      const { data } = (await post(`/api-tools/${id}/test`, { arguments: { a: value } })).body
      expect([value, data.ok]).toEqual([value, true])
      const { url, headers } = api.requests.at(-1) as Json
      expect([value, url.split('/').length, url.startsWith('/v1/'), url.endsWith('/end')]).toEqual([
        value,
        4,
        true,
        true,
      ])
      expect(decodeURIComponent(url.slice('/v1/'.length, -'/end'.length))).toBe(value)
      expect(`http://${headers.host}`).toBe(api.url)
    }
    const before = api.requests.length
    for (const value of ['.', '..', '']) {
      const { status, body } = await post(`/api-tools/${id}/test`, { arguments: { a: value } })
      expect([value, status, body.details?.[0].path]).toEqual([value, 400, 'arguments.a'])
    }
    expect((await post(`/api-tools/${id}/test`, {})).body.details[0]).toEqual({
      path: 'arguments.a',
      message: 'is required, because it is part of the URL path',
    })
    expect((await post(`/api-tools/${id}/test`, { arguments: { a: 'x'.repeat(40_000) } })).status).toBe(400)
    expect(api.requests.length).toBe(before)
    expect((await post(`/api-tools/${id}/test`, { arguments: { a: ['x/y', 2] } })).body.data.ok).toBe(true)
    expect(api.requests.at(-1)?.url).toBe('/v1/x%2Fy%2C2/end')
    expect((await service.get('/health')).status).toBe(200)
  })
})

describe('a value in the query', () => {
  it('is encoded as a single parameter value', async () => {
    const { api, post } = await withApi()
    const id = await make(
      { post },
      { url: `${api.url}/s?fixed=1&u={a}`, query: { q: '{a}', mixed: 'is {a}!', no: '{b}' } },
    )
    for (const value of hostile) {
      await post(`/api-tools/${id}/test`, { arguments: { a: value } })
      const url = new URL(api.requests.at(-1)?.url ?? '', api.url)
      expect(url.pathname).toBe('/s')
      expect([...url.searchParams]).toEqual([
        ['fixed', '1'],
        ['u', value],
        ['q', value],
        ['mixed', `is ${value}!`],
      ])
    }
  })

  it('may be a list, an object, a number or missing', async () => {
    const { api, call } = await withApi()
    const parameters = { type: 'object', properties: { a: {}, b: {}, c: {}, d: {}, e: {} } }
    const query = { a: '{a}', b: '{b:csv}', c: '{c}', d: '{d:json}', e: '{e}', f: 7, g: ['x', '{e}'] }
    await call(
      { parameters, query },
      { a: [1, 'two'], b: [1, 'two'], c: { x: 1, y: { z: true } }, d: { x: [1] }, e: null },
    )
    expect(decodeURIComponent(api.requests[0]?.url ?? '')).toBe(
      '/x?a=1&a=two&b=1,two&c[x]=1&c[y][z]=true&d={"x":[1]}&f=7&g=x',
    )
  })

  it('includes unused arguments if the method has no body', async () => {
    const { api, call } = await withApi()
    await call({ url: `${api.url}/{a}` }, { a: 'p', b: 'q&r' })
    expect(api.requests[0]?.url).toBe('/p?b=q%26r')
  })
})

describe('a value in a header', () => {
  it('cannot contain line breaks', async () => {
    const { api, post } = await withApi()
    const id = await make({ post }, { url: `${api.url}/x`, headers: { 'X-A': 'v {a}', 'X-B': '{b}' } })
    for (const value of hostile) {
      const before = api.requests.length
      const { status, body } = await post(`/api-tools/${id}/test`, { arguments: { a: value } })
      if (/^[\x20-\x7e]*$/.test(value)) {
        expect(api.requests.at(-1)?.headers['x-a']).toBe(`v ${value}`.trim())
        expect('x-b' in (api.requests.at(-1)?.headers ?? {})).toBe(false)
      } else {
        expect([status, body.details[0].path, api.requests.length]).toEqual([400, 'arguments.a', before])
      }
      expect(api.requests.every(({ url, headers }) => url === '/x' && `http://${headers.host}` === api.url)).toBe(true)
    }
  })
})

describe('a value in the body', () => {
  it('keeps its type and never changes the structure', async () => {
    const { api, post } = await withApi()
    const body = { exact: '{a}', text: 'is {a}', deep: [{ in: '{a}' }, '{b}'], gone: '{b}', fixed: 1 }
    const id = await make({ post }, { method: 'POST', url: `${api.url}/x`, body })
    const values = [...hostile, 1, 1.5, true, false, null, [], ['x', { y: 1 }], {}, { nested: { deep: ['"'] } }]
    for (const value of values) {
      const { data } = (await post(`/api-tools/${id}/test`, { arguments: { a: value } })).body
      expect([value, data.ok]).toEqual([value, true])
      const sent = JSON.parse(api.requests.at(-1)?.body ?? '')
      const text =
        typeof value === 'object' ? (Array.isArray(value) ? undefined : JSON.stringify(value)) : String(value)
      expect(sent.exact).toEqual(value)
      expect(sent.deep).toEqual([{ in: value }])
      if (text !== undefined && value !== null) expect(sent.text).toBe(`is ${text}`)
      expect([sent.fixed, 'gone' in sent]).toEqual([1, false])
    }
    expect(api.requests[0]?.headers['content-type']).toBe('application/json')
  })

  it('includes all unused arguments if there is no template', async () => {
    const { api, call } = await withApi()
    await call({ method: 'PUT', url: `${api.url}/{a}` }, { a: 'p', b: { c: [1], d: null } })
    expect([api.requests[0]?.url, api.requests[0]?.body]).toEqual(['/p', '{"b":{"c":[1],"d":null}}'])
    await call({ method: 'POST', url: `${api.url}/{a}` }, { a: 'p' })
    expect(api.requests[1]?.body).toBe('')
  })

  it('can be a form or plain text', async () => {
    const { api, call } = await withApi()
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await call({ method: 'POST', headers: form, body: { x: '{a}', y: '{b}' } }, { a: 'p&q=r', b: [1, 2] })
    expect(api.requests[0]?.body).toBe('x=p%26q%3Dr&y=1&y=2')
    await call({ method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'say {a}' }, { a: '"hi"' })
    expect(api.requests[1]?.body).toBe('say "hi"')
  })
})

describe('arguments', () => {
  it('are validated before anything is sent', async () => {
    const { api, call } = await withApi()
    const parameters = {
      type: 'object',
      properties: {
        a: { type: 'string', pattern: '^[a-z]+$' },
        b: { type: 'integer', minimum: 1 },
        kind: { enum: ['x', 'y'] },
        list: { type: 'array', items: { $ref: '#/$defs/item' } },
      },
      required: ['a'],
      additionalProperties: false,
      $defs: { item: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
    }
    const wrong: [object, string][] = [
      [{}, 'arguments.a'],
      [{ a: 'A' }, 'arguments.a'],
      [{ a: 'a', b: '1' }, 'arguments.b'],
      [{ a: 'a', kind: 'z' }, 'arguments.kind'],
      [{ a: 'a', more: 1 }, 'arguments.more'],
      [{ a: 'a', list: [{ n: 1 }, {}] }, 'arguments.list.1.n'],
    ]
    for (const [args, path] of wrong) {
      const body = await call({ parameters }, args)
      expect([args, body.code, body.details[0].path]).toEqual([args, 'invalid_request', path])
    }
    expect(api.requests).toEqual([])
    expect((await call({ parameters }, { a: 'a', b: 1, kind: 'y', list: [{ n: 1 }] })).data.ok).toBe(true)
  })

  it('are validated within a time limit, whatever the pattern or schema', async () => {
    const { call, post } = await withApi()
    const pattern = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect((await call({ parameters: pattern }, { a: `${'a'.repeat(50_000)}!` })).details[0].path).toBe('arguments.a')
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    )
    const doubling = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: { ...$defs, d40: { type: 'string' } },
    }
    const bomb = { name: 'bomb', description: 'D', url: 'https://example.com/x', parameters: doubling }
    const refused = (await post('/api-tools', bomb)).body.details[0]
    expect(refused).toMatchObject({ path: 'parameters', message: expect.stringContaining('refer to each other') })
    expect((await post('/api-tools', { name: 'still', description: 'D', url: 'https://example.com/{a}' })).status).toBe(
      201,
    )
  })
})

describe('arguments that the schema does not declare', () => {
  const combined = {
    properties: { a: {} },
    patternProperties: { '^x-': {} },
    allOf: [{ $ref: '#/$defs/more' }],
    $defs: { more: { properties: { b: {} } } },
  }
  it.each([
    ['GET', { properties: { a: {} } }, '/x?a=1', ['b', 'c', 'x-d']],
    ['POST', { properties: { a: {} } }, '/x {"a":1}', ['b', 'c', 'x-d']],
    ['POST', {}, '/x ', ['a', 'b', 'c', 'x-d']],
    ['GET', combined, '/x?a=1&b=2&x-d=4 ', ['c']],
    ['GET', { additionalProperties: { type: 'integer' } }, '/x?a=1&b=2&c=3&x-d=4 ', undefined],
  ])('are not sent: %s %o', async (method, parameters, sent, dropped) => {
    const { api, call } = await withApi()
    const { data } = await call({ method, parameters }, { a: 1, b: 2, c: 3, 'x-d': 4 })
    expect([data.ok, `${api.requests[0]?.url} ${api.requests[0]?.body}`.trim()]).toEqual([true, sent.trim()])
    expect(data.dropped_arguments).toEqual(dropped)
  })
})

describe('slow work of one workspace', () => {
  const slow = { response_path: Array(120).fill('[@,@]').join('|'), timeout_ms: 60_000 }
  const call = async ({ post }: Pick<Service, 'post'>, id: string) =>
    (await post(`/api-tools/${id}/test`, {})).body.data

  it('does not keep another one waiting, and counts as time of the call', async () => {
    const [one, other] = [await withApi(), await withApi()]
    const slowTool = await make(one, { url: `${one.api.url}/x`, ...slow })
    const quickTool = await make(other, { url: `${other.api.url}/x`, response_path: 'ok' })
    const hastyTool = await make(one, { url: `${one.api.url}/x`, response_path: 'ok', timeout_ms: 200 })
    let finished = 0
    // Two run, and two wait for a thread.
    const calls = Array.from({ length: 4 }, async () => {
      const { error } = await call(one, slowTool)
      finished++
      return error
    })
    await until(() => one.api.requests.length === 4)
    const [hasty, quick] = await Promise.all([call(one, hastyTool), call(other, quickTool)])
    expect(quick).toMatchObject({ ok: true, body: true })
    expect(finished).toBeLessThan(4)
    expect(hasty.error).toMatch(/within 200 ms|took too long/) // while it waits for an answer, or for a thread
    for (const error of await Promise.all(calls)) expect(error).toMatch(/response_path.*(too long|too much memory)/)
  })
})

describe('the response', () => {
  it('is parsed, masked and cut without holding up others, however large it is', async () => {
    const secret = 'sesame-open-up'
    const list = Array.from({ length: 50_000 }, (_, n) => ({ id: n, text: `${'word '.repeat(30)}&amp;${secret}` }))
    const text = JSON.stringify({ list, last: secret })
    expect(text.length).toBeGreaterThan(9 * 1024 * 1024)
    const { api, post } = await withApi(() => ({ headers: { 'content-type': 'application/json' }, body: text }))
    const more = { url: `${api.url}/x`, max_response_bytes: 10 * 1024 * 1024, timeout_ms: 60_000 }
    const auth = { type: 'bearer', token: secret }
    const whole = await make({ post }, { ...more, auth })
    const part = await make({ post }, { ...more, auth, response_path: '{last: last, text: list[7].text}' })
    const results: Json[] = []
    const work = await mainThreadWork(async () => {
      for (const id of [whole, part]) results.push((await post(`/api-tools/${id}/test`, {})).body.data)
    })
    expect(results[0].body).toMatch(
      /^\{"list":\[\{"id":0,"text":"word .*\[The rest was cut off: the answer was too long\.\]$/s,
    )
    expect(results[1]).toMatchObject({ ok: true, body: { last: '••••', text: expect.stringContaining('&amp;••••') } })
    expect(JSON.stringify(results)).not.toContain(secret)
    expect(work.calls('/server/src/')).toBeLessThan(list.length)
    expect(work.json).toBeLessThan(text.length)
  })

  it('is JSON, text or the part selected by response_path', async () => {
    const { call, api } = await withApi(({ url }) => {
      if (url === '/text') return { body: 'plain words' }
      if (url === '/nothing') return { status: 204 }
      if (url === '/image') return { headers: { 'content-type': 'image/png' }, body: 'PNG' }
      return {
        body: {
          list: [
            { name: 'a', size: 2 },
            { name: 'b', size: 1 },
          ],
        },
      }
    })
    const at = async (path: string, more: object = {}) => (await call({ url: `${api.url}${path}`, ...more })).data
    expect(await at('/text')).toMatchObject({ ok: true, status: 200, body: 'plain words' })
    expect(await at('/nothing')).toMatchObject({ ok: true, status: 204, body: null })
    expect(await at('/image')).toMatchObject({ ok: true, body: '[3 bytes of image/png]' })
    expect((await at('/json')).body.list[1].name).toBe('b')
    expect((await at('/json', { response_path: 'list[?size > `1`].name | [0]' })).body).toBe('a')
    expect((await at('/json', { response_path: 'nowhere' })).body).toBe(null)
    expect(await at('/text', { response_path: 'a' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('JSON'),
    })
    const doubling = Array(120).fill('[@,@]').join('|')
    expect(await at('/json', { response_path: doubling })).toMatchObject({
      ok: false,
      error: expect.stringContaining('response_path'),
    })
    expect((await at('/json')).ok).toBe(true)
  })

  it('is reported if it is an error', async () => {
    const { call, api } = await withApi(({ url }) => {
      if (url === '/redirect') return { status: 302, headers: { location: 'http://169.254.169.254/' } }
      if (url === '/broken') return { headers: { 'content-type': 'application/json' }, body: '{"a":' }
      return { status: Number(url.slice(1)), body: { message: 'the reason' } }
    })
    const at = async (path: string) => (await call({ url: `${api.url}${path}` })).data
    expect(await at('/404')).toMatchObject({
      ok: false,
      status: 404,
      body: { message: 'the reason' },
      error: 'The API answered 404 Not Found.',
    })
    expect((await at('/500')).error).toContain('500 Internal Server Error')
    const redirect = await at('/redirect')
    expect([redirect.ok, redirect.status]).toEqual([false, 302])
    expect(redirect.error).toMatch(/not followed/)
    expect((await at('/broken')).error).toMatch(/not JSON/)
    expect(api.requests.length).toBe(4)
  })
})

describe('a call that cannot be made', () => {
  it('reports the reason', async () => {
    const { call, api } = await withApi(({ url }, response) => {
      if (url === '/hang') return
      if (url === '/drop') return void response.socket?.destroy()
      response.writeHead(200, { 'content-type': 'text/plain' })
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      if (url === '/slowly') {
        const timer = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(timer))
      } else {
        response.on('drain', more)
        more()
      }
    })
    const noise = createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'))
    noise.listen(0, '127.0.0.1')
    await once(noise, 'listening')
    onTestFinished(() => void noise.close())
    const { port } = noise.address() as AddressInfo
    const closed = `http://127.0.0.1:${await closedPort()}/`
    const ways: [object, RegExp][] = [
      [{ url: 'http://does-not-exist.invalid/' }, /does-not-exist\.invalid/],
      [{ url: closed }, /refused/],
      [{ url: `${api.url.replace('http:', 'https:')}/` }, /secure connection|failed/],
      [{ url: `${api.url}/hang`, timeout_ms: 100 }, /within 100 ms/],
      [{ url: `${api.url}/slowly`, timeout_ms: 200 }, /within 200 ms/],
      [{ url: `${api.url}/endless` }, /larger than 1048576 bytes/],
      [{ url: `${api.url}/endless`, max_response_bytes: 5000 }, /larger than 5000 bytes/],
      [{ url: `${api.url}/drop` }, /connection/i],
      [{ url: `http://127.0.0.1:${port}/` }, /not HTTP|connection/i],
    ]
    for (const [more, message] of ways) {
      const { data } = await call(more)
      expect([more, data.ok, data.status]).toEqual([more, false, null])
      expect(data.error).toMatch(message)
      expect(data.request.url).toBe((more as { url: string }).url)
      expect(data.latency_ms).toBeTypeOf('number')
    }
  })
})
