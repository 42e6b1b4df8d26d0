import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { onTestFinished } from 'vitest'
import type { Resolve } from '../src/kernel/egress/egress.ts'

export interface NameServer {
  resolve: Resolve
  questions: string[]
}

/** A DNS server on loopback that can answer each query differently, and a resolver for it. */
export async function startNameServer(answers: (name: string, times: number) => string[]): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const [name, end] = readName(query)
    questions.push(name)
    const times = questions.filter((each) => each === name).length
    const records = answers(name, times).map(encodeRecord)
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(records.length > 0 ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(records.length, 6)
    header.fill(0, 8, 12)
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    questions,
    resolve: (host, answer) =>
      resolver.resolve4(host, (error, addresses) =>
        answer(error, error ? [] : addresses.map((address) => ({ address, family: 4 }))),
      ),
  }
}

function readName(query: Buffer): [name: string, end: number] {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return [labels.join('.'), at + 1]
}

/** A record with a TTL of zero, so that it is not cached. */
const encodeRecord = (address: string): Buffer =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
