import { once } from 'node:events'
import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { H2CClient } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { modelRequest } from '../../../test/model-request.ts'
import { encodeFrames } from '../../../test/scripted-wires.ts'
import { languageModel } from './create-model.ts'
import { createProviderPool, type Timeouts } from './http.ts'
import type { LanguageModel } from './model.ts'

/** Over TLS most providers are spoken to in HTTP/2, where undici goes another way. */
describe('the OpenAI API over HTTP/2', () => {
  const server = createServer()
  let client: H2CClient
  let reply: (stream: ServerHttp2Stream) => void
  let model: (timeouts?: Partial<Timeouts>) => LanguageModel
  server.on('stream', (stream) => {
    stream.on('error', () => undefined)
    reply(stream)
  })

  beforeEach(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    client = new H2CClient(origin)
    model = (timeouts = {}) =>
      languageModel(
        { provider: 'x', model_id: 'm', type: 'chat', endpoint: `${origin}/v1`, apiKey: 'k' },
        { dispatcher: client, timeouts: createProviderPool(timeouts).timeouts },
      )
  })
  afterEach(async () => {
    await client.destroy()
    const closed = once(server, 'close')
    server.close()
    await closed
  })

  const begin = (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
    const { head, deltas } = encodeFrames({ deltas: ['one'] }, 'openai')
    stream.write([...head, ...deltas].join(''))
  }

  it('streams', async () => {
    const { head, deltas, tail } = encodeFrames({ deltas: ['Grüße ', '👋🏽'] }, 'openai')
    reply = (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
      for (const frame of [...head, ...deltas, ...tail]) stream.write(frame)
      stream.end()
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => model().generate(modelRequest())))
    for (const answer of answers) expect(answer).toMatchObject({ text: 'Grüße 👋🏽', usage: { output: 2 } })
  })

  it('reports an error status', async () => {
    reply = (stream) => {
      stream.respond({ ':status': 429, 'retry-after': '4' })
      stream.end('{"error":{"message":"Slow down"}}')
    }
    await expect(model().generate(modelRequest())).rejects.toMatchObject({
      kind: 'status',
      status: 429,
      retryAfter: 4000,
    })
  })

  it('ends the stream at once when it is cancelled', async () => {
    const aborted = new Promise<void>((resolve) => {
      reply = (stream) => {
        begin(stream)
        stream.on('aborted', resolve)
      }
    })
    const cancel = new AbortController()
    const onText = () => cancel.abort(new Error('Enough.'))
    await expect(model().generate(modelRequest({ signal: cancel.signal, onText }))).rejects.toThrow('Enough.')
    await aborted
  })

  it('notices silence and a stream that breaks off', async () => {
    reply = begin
    await expect(model({ idle: 50 }).generate(modelRequest())).rejects.toMatchObject({ kind: 'timeout' })
    reply = () => undefined
    await expect(model({ firstByte: 50 }).generate(modelRequest())).rejects.toMatchObject({ kind: 'timeout' })
    reply = (stream) => {
      begin(stream)
      setImmediate(() => stream.session?.destroy())
    }
    const request = modelRequest()
    await expect(model().generate(request)).rejects.toMatchObject({ kind: 'cut' })
    expect(request.pieces).toEqual(['one'])
  })
})
