import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { startSite } from '@parley/crawler/testing'
import { Webhook } from 'standardwebhooks'
import type { Json } from './harness.ts'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  json: Json
}

export interface Receiver {
  url: string
  port: number
  received: Received[]
}

/** The status of the nth response, or 'own way' if the function responds itself. */
export type Answers = (nth: number, response: ServerResponse, request: Received) => number | 'own way'

/** A webhook receiver on loopback. */
export async function startReceiver(answers: Answers = () => 204): Promise<Receiver> {
  const received: Received[] = []
  const site = await startSite(() => (_request, response, { headers, body }) => {
    const request = { headers, body, json: JSON.parse(body) }
    received.push(request)
    const status = answers(received.length, response, request)
    if (status !== 'own way')
      response
        .writeHead(status, { 'content-type': 'text/plain', location: '/elsewhere' })
        .end(`answer ${received.length}`)
  })
  return { url: `${site.url}/hook`, port: site.port, received }
}

const toHeaders = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Verifies with the official library, which throws if a signature is wrong. */
export const verify = (secret: string, received: Received): Json =>
  new Webhook(secret).verify(received.body, toHeaders(received))
