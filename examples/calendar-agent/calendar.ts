// A calendar for the example: a small OAuth server, and an API that answers with the events of the person whose token it gets.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const codes = new Map<string, { challenge: string; redirect: string }>()
const tokens = new Set<string>()

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export const server = createServer(async (request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '', address())
  if (pathname === '/authorize') {
    // A real server shows who wants what, and asks the person who has signed in.
    const code = randomBytes(16).toString('base64url')
    const redirect = query.get('redirect_uri') ?? ''
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect })
    const back = new URL(redirect)
    for (const [name, value] of [
      ['code', code],
      ['state', query.get('state') ?? ''],
      ['iss', address()],
    ] as const)
      back.searchParams.set(name, value)
    console.log('(Ada has allowed Parley to read her calendar.)')
    response.writeHead(302, { location: back.href }).end()
  } else if (pathname === '/token') {
    const form = new URLSearchParams(await text(request))
    const held = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (held?.challenge !== proof || held.redirect !== form.get('redirect_uri'))
      return send(response, 400, { error: 'invalid_grant' })
    const token = randomBytes(16).toString('base64url')
    tokens.add(token)
    send(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 })
  } else if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) {
    send(response, 401, { error: 'invalid_token' })
  } else send(response, 200, { events: [{ at: '12:30', title: 'Lunch with Grace' }] })
}).listen(0, '127.0.0.1')
await once(server, 'listening')

export const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
