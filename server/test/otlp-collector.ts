import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
  /** 2 is an error. */
  status: number
  links: string[]
  milliseconds: number
}

export interface Collector {
  url: string
  headers: IncomingHttpHeaders[]
  /** Everything that was received, as text. */
  raw(): string
  spans: ReceivedSpan[]
  /** The names of the metrics. */
  metrics: Set<string>
  /** The attributes of the points of histograms, by the name of the metric. */
  points: Map<string, Record<string, unknown>[]>
  /** How it responds from now on. */
  respond(status: number | 'never'): void
}

/** An OTLP collector on loopback that decodes the received spans and metrics. */
export async function otlpCollector(): Promise<Collector> {
  const bodies: Buffer[] = []
  let mode: number | 'never' = 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    collector.headers.push(request.headers)
    if (mode === 'never') return
    if (mode === 200) {
      bodies.push(body)
      if (request.url === '/v1/traces') collector.spans.push(...spansIn(body))
      if (request.url === '/v1/metrics')
        for (const { name, points } of metricsIn(body)) {
          collector.metrics.add(name)
          collector.points.set(name, points)
        }
    }
    response.writeHead(mode, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: [],
    spans: [],
    metrics: new Set(),
    points: new Map(),
    raw: () => Buffer.concat(bodies).toString('latin1'),
    respond: (status) => {
      mode = status
    },
  }
  return collector
}

type Field = bigint | Buffer
/** The fields of a protobuf message by number. */
type Message = Map<number, Field[]>

function decode(bytes: Buffer): Message {
  const message: Message = new Map()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] as number
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const kind = tag & 7
    const field = kind === 0 ? varint() : take(kind === 1 ? 8 : kind === 5 ? 4 : Number(varint()))
    message.set(tag >> 3, [...(message.get(tag >> 3) ?? []), field])
  }
  return message
}

const inside = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).map((bytes) => decode(bytes as Buffer))
const fieldBytes = (message: Message, field: number): Buffer => (message.get(field)?.[0] ?? Buffer.alloc(0)) as Buffer
const fieldText = (message: Message, field: number): string => fieldBytes(message, field).toString('utf8')
const fieldHex = (message: Message, field: number): string => fieldBytes(message, field).toString('hex')
const fieldNumber = (message: Message, field: number): number => Number(message.get(field)?.[0] ?? 0)

function readAttributes(message: Message, field: number): Record<string, unknown> {
  return Object.fromEntries(inside(message, field).map((pair) => [fieldText(pair, 1), anyValue(inside(pair, 2)[0])]))
}

function anyValue(value: Message = new Map()): unknown {
  if (value.has(1)) return fieldText(value, 1)
  if (value.has(2)) return fieldNumber(value, 2) === 1
  if (value.has(3)) return fieldNumber(value, 3)
  if (value.has(4)) return fieldBytes(value, 4).readDoubleLE()
  return inside(inside(value, 5)[0] ?? new Map(), 1).map(anyValue)
}

const spansIn = (body: Buffer): ReceivedSpan[] =>
  inside(decode(body), 1).flatMap((group) => {
    const resource = readAttributes(inside(group, 1)[0] ?? new Map(), 1)
    return inside(group, 2).flatMap((scope) =>
      inside(scope, 2).map((span) => ({
        traceId: fieldHex(span, 1),
        spanId: fieldHex(span, 2),
        parentSpanId: fieldHex(span, 4),
        name: fieldText(span, 5),
        kind: fieldNumber(span, 6),
        attributes: readAttributes(span, 9),
        resource,
        status: fieldNumber(inside(span, 15)[0] ?? new Map(), 3),
        links: inside(span, 13).map((link) => fieldHex(link, 1)),
        milliseconds: Number(fieldBytes(span, 8).readBigUInt64LE() - fieldBytes(span, 7).readBigUInt64LE()) / 1e6,
      })),
    )
  })

const metricsIn = (body: Buffer) =>
  inside(decode(body), 1).flatMap((group) =>
    inside(group, 2).flatMap((scope) =>
      inside(scope, 2).map((metric) => {
        const histograms = inside(metric, 9).flatMap((histogram) => inside(histogram, 1))
        return { name: fieldText(metric, 1), points: histograms.map((point) => readAttributes(point, 9)) }
      }),
    ),
  )
