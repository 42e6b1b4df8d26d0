import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Service } from './harness.ts'
import type { Json } from './json.ts'

export const fromConsole = { 'x-requested-with': 'parley', 'sec-fetch-site': 'same-origin' }
export const callback = 'https://claude.example/callback'

export type Parameters = Record<string, string>

/** A client that registers itself, and a person who is signed in to the console. */
export async function stage(here: Service, { token = here.token, redirectUri = callback } = {}) {
  const signedIn = await here.post('/auth/session', { token }, { token: null })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const send = (path: string, body: object) =>
    fetch(`${here.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const registered = await send('/oauth/register', { client_name: 'Claude', redirect_uris: [redirectUri] })
  expect(registered.status).toBe(201)
  const client_id = ((await registered.json()) as Json).client_id as string
  const verifier = randomBytes(32).toString('base64url')
  const request: Parameters = {
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${here.url}/api/mcp`,
    state: 'xyz',
  }
  const authorize = (more: Parameters = {}, without: string[] = []) => {
    const all = Object.entries({ ...request, ...more }).filter(([name]) => !without.includes(name))
    return fetch(`${here.url}/oauth/authorize?${new URLSearchParams(all)}`, { redirect: 'manual' })
  }
  const consent = (more: object = {}, headers: Record<string, string> = { cookie, ...fromConsole }) =>
    here.post('/oauth/consent', { ...request, allow: true, ...more }, { token: null, headers })
  const form = async (path: string, fields: Parameters) => {
    const response = await fetch(`${here.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
  }
  const exchange = (code: string, more: Parameters = {}) =>
    form('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      client_id,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      ...more,
    })
  const refresh = (refresh_token: string, more: Parameters = {}) =>
    form('/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id, ...more })
  const allow = async (): Promise<string> =>
    new URL((await consent()).body.data.redirect_to).searchParams.get('code') as string
  return { request, send, authorize, consent, form, exchange, refresh, allow, cookie, client_id }
}

export const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
export const mcp = async (here: Service, token: string) => (await here.post('/mcp', ping, { token })).status
export const read = async (here: Service, path: string): Promise<Json> => (await fetch(`${here.url}${path}`)).json()
