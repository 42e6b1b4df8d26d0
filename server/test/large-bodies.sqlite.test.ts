import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { mebibyte } from '../src/kernel/http/app.ts'
import { type Json, startService } from './harness.ts'
import { countMainThread } from './main-thread.ts'

interface Cost {
  /** How many functions of the service the main thread called. */
  calls: number
  /** Characters that the main thread read and wrote as JSON. */
  json: number
  memoryMb: number
}

/** Larger bodies, and those with more than 10,000 values, are read in a thread. */
const most: Cost = { calls: 3 * 10_000, json: 2 * mebibyte, memoryMb: 100 }

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Invalid bodies of `size` bytes. Each is the most expensive one of its kind. */
const invalidBodies: Record<string, (size: number, field: string) => Buffer> = {
  'an array of numbers': (size, field) => filled(`{"${field}":[`, '0,', size, '0]}'),
  'an array of objects': (size, field) => filled(`{"${field}":[`, '{},', size, '{}]}'),
  'as many objects as are parsed': (size, field) =>
    filled(`{"${field}":[${'{},'.repeat(size / 65)}"`, 'x', size, '"]}'),
  'nested arrays': (size, field) => filled(`{"${field}":[`, `${'['.repeat(90)}${']'.repeat(90)},`, size, '0]}'),
  'as many different fields as are parsed': (size, field) => {
    const fields = Array.from({ length: Math.min(19_000, size / 40) }, (_, n) => `"${n.toString(36)}":0`).join(',')
    return filled(`{${fields},"${field}":[`, `{${fields}},`, Math.min(size, 6_000_000), '{}]}')
  },
  'a long text': (size, field) => filled(`{"${field}":"`, 'é世', size, '"}'),
  'a long field name': (size) => filled('{"', 'x', size, '":0}'),
  'truncated JSON': (size, field) => filled(`{"${field}":[{"a":1},"`, '\\n', size, ''),
}

function filled(start: string, part: string, size: number, end: string): Buffer {
  const body = Buffer.alloc(Math.max(size, start.length + end.length), ' ')
  const partBytes = Buffer.byteLength(part)
  const length = Math.floor((size - start.length - end.length) / partBytes) * partBytes
  body.write(start)
  if (length > 0) body.fill(part, start.length, start.length + length)
  body.write(end, start.length + Math.max(0, length))
  return body
}

/** Counts what the main thread does since the last count, and by how much the memory grows. */
async function watched<T>(counter: ReturnType<typeof countMainThread>, work: () => Promise<T>) {
  const before = process.memoryUsage.rss()
  let memory = before
  const look = () => {
    memory = Math.max(memory, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 5)
  const result = await work()
  const { calls, json } = counter.take()
  look()
  clearInterval(timer)
  return { result, calls: calls('/server/src/'), json, memoryMb: (memory - before) / mebibyte }
}

const openRequest = (url: string, token: string, method: string, path: string, length: number) =>
  request(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': length },
  })

/** The field that the most values fit in. */
function widestField(schema: Json): string {
  const fields = Object.entries<Json>(schema.properties ?? {}).filter(([, field]) => !field.readOnly)
  const isArray = ([, field]: [string, Json]) => [field.type].flat().includes('array')
  return (fields.find(isArray) ?? fields[0])?.[0] ?? 'name'
}

it('an invalid body of any size blocks nobody and takes little memory', { timeout: 900_000 }, async () => {
  const { url, token, routes, get } = await startService()
  const counter = countMainThread()
  onTestFinished(counter.stop)
  const isExpensive = ({ calls, json, memoryMb }: Cost): boolean =>
    calls > most.calls || json > most.json || memoryMb > most.memoryMb
  const send = async (method: string, path: string, body: Buffer): Promise<{ status: number; length: number }> => {
    const sent = openRequest(url, token, method, path, body.length)
    sent.end(body)
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, length: (await text(response)).length }
  }

  const withBody = routes.filter(({ method, schema }) => schema.body !== undefined && method !== 'patch') // as PUT
  const kinds = Object.entries(invalidBodies)
  const expensive: unknown[] = []
  for (const [index, route] of withBody.entries()) {
    const { schema, bodyLimit = mebibyte } = route
    const method = route.method.toUpperCase()
    const path = route.url.replace(/:\w+/g, 'none')
    const field = widestField(schema.body)
    const isFirstOfSize = !withBody.slice(0, index).some((other) => other.bodyLimit === route.bodyLimit)
    const chosen = kinds.filter((_, n) => isFirstOfSize || n === index % kinds.length)
    // All routes share one parser, so one route at the limit shows what any size costs, and others that each is behind it.
    const size = isFirstOfSize ? bodyLimit : Math.min(bodyLimit, 2 * mebibyte)
    await send(method, path, Buffer.from('{"nothing":1}')) // compiles the validator
    for (const [kind, makeBody] of chosen) {
      const body = makeBody(size, field)
      let cost = await watched(counter, () => send(method, path, body))
      // Memory also holds the garbage of earlier requests.
      for (let again = 0; again < 10 && cost.memoryMb > most.memoryMb; again++) {
        collectGarbage()
        cost = await watched(counter, () => send(method, path, body))
      }
      const { result, ...used } = cost
      const where = `${method} ${path}: ${kind}`
      expect([where, Math.floor(result.status / 100), result.length < 20_000]).toEqual([where, 4, true])
      if (isExpensive(used)) expensive.push({ where, ...used })
    }
  }
  expect(expensive).toEqual([])
  expect((await get('/health')).status).toBe(200)
})

it('a valid body of many values is accepted', async () => {
  const { get, post } = await startService()
  const documents = Array.from({ length: 4000 }, (_, n) => ({ title: `Note ${n}`, content: 'Text', metadata: { n } }))
  const accepted = await post('/knowledge-sources', { name: 'S', type: 'text', configuration: { documents } })
  expect(accepted.status).toBe(201)
  const { data } = (await get(`/knowledge-sources/${accepted.body.data.id}`)).body
  expect(data.configuration.documents).toEqual(documents)
  const wrong = await post('/knowledge-sources', {
    name: 'S',
    type: 'text',
    configuration: { documents: [...documents, { title: 7, content: '' }] },
  })
  expect([wrong.status, wrong.body.details]).toEqual([
    400,
    [{ path: 'configuration.documents[4000].title', message: 'must be string' }],
  ])
})

it('large bodies are limited by role and in number', async () => {
  const { url, token, post, tokenFor } = await startService()
  const messages = [{ role: 'user', content: 'x'.repeat(5 * mebibyte) }]
  const asUser = await post(
    '/openai/v1/chat/completions',
    { model: 'none', messages },
    { token: await tokenFor('user') },
  )
  expect([asUser.status, asUser.body.code]).toEqual([413, 'payload_too_large'])
  expect((await post('/openai/v1/chat/completions', { model: 'none', messages })).status).toBe(404)

  const open = Array.from({ length: 6 }, () => openRequest(url, token, 'POST', '/api/knowledge-sources', 2 * mebibyte))
  for (const each of open) each.on('error', () => {}).write('{')
  const [response] = await Promise.race(open.map((each) => once(each, 'response')))
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1'])
  for (const each of open) each.destroy()
})
