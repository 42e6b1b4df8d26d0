import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { backlog } from '../src/kernel/http/backlog.ts'
import { answer, completion } from './scripted-answers.ts'
import { encodeFrames, type Reply, type Wire } from './scripted-wires.ts'

export interface Script extends Reply {
  /** Milliseconds before each delta. Without it, and without a hold, everything is one write. */
  delay?: number
  /** Milliseconds before the first delta, with `delay`. */
  firstDelay?: number
  /** An error instead of a reply. */
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** The raw frames of the stream, instead of those of the reply. */
  frames?: string[]
  fault?: Fault
  /** Stops before a piece until this resolves. A reply that is not streamed waits as a whole. */
  hold?: Promise<unknown>
  /** The number of pieces before the fault or the hold (deltas, then tool calls and the end). Default: 1. */
  after?: number
  /** The size of each write in bytes, which may split characters. */
  bytes?: number
  lineEnd?: '\r\n'
  /** Responds without streaming even if the request asks for it. */
  whole?: boolean
}

export type Fault =
  /** Closes the connection without a response. */
  | 'refuse'
  /** Never responds. */
  | 'hang'
  /** Stops sending in the middle of the reply. */
  | 'stall'
  /** Closes the connection in the middle of the reply. */
  | 'cut'
  /** Ends the HTTP response before the reply is complete. */
  | 'end'
  /** Sends everything but does not end the HTTP response. */
  | 'linger'
  /** Sends a piece that is not JSON. */
  | 'malformed'
  /** Sends an error object (`body`) among the pieces. */
  | 'error'
  /** Sends something that is not HTTP. */
  | 'noise'

export interface RecordedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  /** Resolves if the client disconnects before the reply is complete. */
  gone: Promise<void>
}

export type Director = (request: RecordedRequest) => Script

export interface ScriptedProvider {
  /** The `endpoint` for a model. */
  url: string
  requests: RecordedRequest[]
  /** Queues replies for the next requests. Afterwards the default is used again. */
  next(...scripts: Script[]): void
  readonly openSockets: number
  /** Resolves when exactly this many connections are open. */
  whenSockets(count: number): Promise<void>
  /** Stops listening. */
  refuse(): Promise<void>
  /** Listens again at the same address. */
  accept(): Promise<void>
  close(): Promise<void>
}

/** An HTTP server with the wire formats of the providers and scripted replies. */
export async function scriptedProvider(
  otherwise: Script | Director = { deltas: ['Hello'] },
  { record = true, port = 0 } = {},
): Promise<ScriptedProvider> {
  const queue: Script[] = []
  const requests: RecordedRequest[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      if (!record && typeof otherwise !== 'function') {
        play(otherwise, response, request.url ?? '', text.includes('"stream":true'), {})
        return
      }
      const recorded = toRecord(request, response, text)
      requests.push(recorded)
      const script = queue.shift() ?? (typeof otherwise === 'function' ? otherwise(recorded) : otherwise)
      play(script, response, recorded.path, recorded.body.stream === true, recorded.body)
    })
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => {
    sockets.add(socket)
    for (const check of waiting) check()
    socket.on('close', () => {
      sockets.delete(socket)
      for (const check of waiting) check()
    })
  })

  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1', backlog)
    await once(server, 'listening')
  }
  const refuse = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await listen(port)
  const address = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    next: (...scripts) => queue.push(...scripts),
    get openSockets() {
      return sockets.size
    },
    whenSockets: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (sockets.size !== count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    refuse,
    accept: () => listen(address.port),
    close: async () => {
      if (server.listening) await refuse()
    },
  }
}

function toRecord(request: IncomingMessage, response: ServerResponse, text: string): RecordedRequest {
  return {
    path: request.url ?? '',
    headers: request.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    gone: new Promise((resolve) => {
      response.on('close', () => {
        if (!response.writableFinished) resolve()
      })
    }),
  }
}

function play(script: Script, response: ServerResponse, path: string, stream: boolean, body: Record<string, unknown>) {
  if (script.fault === 'hang') return
  if (script.fault === 'refuse') return void response.socket?.destroy()
  if (script.fault === 'noise') return void response.socket?.end('220 mail.example.com ESMTP\r\n')
  if (script.status !== undefined) return sendJson(response, script.status, script.body ?? {}, script.headers)
  const wire = detectWire(path)
  if (wire === null) {
    const found = answer(path, body)
    return sendJson(response, found ? 200 : 404, found ?? { error: { message: `No route ${path}.` } })
  }
  if (wire !== 'openai' || (stream && !script.whole)) return sendStream(script, response, wire)
  const send = () => sendJson(response, 200, replyBody(script))
  return script.hold ? void script.hold.then(send) : send()
}

function detectWire(path: string): Wire | null {
  if (path.includes('/chat/completions')) return 'openai'
  if (path.includes(':streamGenerateContent')) return 'google'
  if (path.endsWith('/messages')) return 'anthropic'
  return path.endsWith('/chat') ? 'cohere' : null
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

function sendStream(script: Script, response: ServerResponse, wire: Wire) {
  response.writeHead(200, streamHeaders)
  const chunks = prepared(script, wire)
  if (script.fault === undefined && chunks.length === 1) {
    response.end(chunks[0])
    return
  }
  response.flushHeaders()
  const heldAt = script.hold && (script.frames ? 0 : encodeFrames(script, wire).head.length) + (script.after ?? 1)
  let sent = 0
  const finish = () => {
    if (script.fault === 'cut') response.socket?.destroy()
    else if (script.fault !== 'stall' && script.fault !== 'linger') response.end()
  }
  const step = async () => {
    if (sent === heldAt) await script.hold
    if (response.destroyed) return
    const chunk = chunks[sent++]
    if (chunk === undefined) return finish()
    // Waits until this chunk is flushed, so that a fault never overtakes earlier chunks.
    response.write(chunk, () => (script.delay ? setTimeout(step, script.delay) : setImmediate(step)))
  }
  if (script.firstDelay) setTimeout(step, script.firstDelay)
  else void step()
}

const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

/** Cached: a script is encoded once. */
function prepared(script: Script, wire: Wire): Buffer[] {
  const known = preparations.get(script) ?? {}
  preparations.set(script, known)
  known[wire] ??= makeChunks(script, wire)
  return known[wire]
}

/** Cached: the reply without streaming. */
function replyBody(script: Script): string {
  const whole = wholes.get(script) ?? JSON.stringify(completion(script))
  wholes.set(script, whole)
  return whole
}

const wholes = new WeakMap<Script, string>()
const preparations = new WeakMap<Script, Partial<Record<Wire, Buffer[]>>>()

function makeChunks(script: Script, wire: Wire): Buffer[] {
  const frames = faultyFrames(script, wire).map((frame) =>
    Buffer.from(script.lineEnd ? frame.replaceAll('\n', script.lineEnd) : frame),
  )
  const whole = Buffer.concat(frames)
  if (script.bytes !== undefined) return inBytes(whole, script.bytes)
  return script.delay === undefined && script.hold === undefined ? [whole] : frames
}

function faultyFrames(script: Script, wire: Wire): string[] {
  const { head, deltas, tail } = script.frames
    ? { head: [], deltas: script.frames, tail: [] }
    : encodeFrames(script, wire)
  if (script.fault === undefined || script.fault === 'linger') return [...head, ...deltas, ...tail]
  const pieces = [...deltas, ...tail]
  const before = [...head, ...pieces.splice(0, script.after ?? 1)]
  if (script.fault === 'malformed') return [...before, 'data: {"choices":[{"delta\n\n', ...pieces]
  if (script.fault === 'error') {
    const name = wire === 'anthropic' ? 'event: error\n' : ''
    return [...before, `${name}data: ${JSON.stringify(script.body ?? { error: { message: 'Broken.' } })}\n\n`]
  }
  return before
}

const inBytes = (whole: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => whole.subarray(index * size, (index + 1) * size))
