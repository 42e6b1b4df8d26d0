import { createHash } from 'node:crypto'
import { scriptedApi } from './scripted-api.ts'

interface Issued {
  client: string
  resource: string | null
  scope: string
}

interface Behaviour {
  /** The issuer in the answers to the browser; null leaves it out. */
  answersAs?: string | null
  /** Instead of the answer of the token endpoint. */
  tokenAnswer?: () => { status?: number; headers?: Record<string, string>; body?: unknown }
  /** Seconds. */
  lifetime?: number
  refreshTokens?: boolean
  metadata?: Record<string, unknown>
  /** Added to the answer of a registration. */
  registration?: Record<string, unknown>
}

/** An authorization server on loopback. Opening its page is consent. It records the requests. */
export async function oauthServer(behaviour: Behaviour = {}) {
  const codes = new Map<string, Issued & { challenge: string; redirect: string }>()
  const access = new Map<string, Issued>()
  const refresh = new Map<string, Issued>()
  const tokenRequests: URLSearchParams[] = []
  const registered: { redirect_uris: string[] }[] = []
  const revoked: string[] = []
  let count = 0
  const settings = { lifetime: 3600, refreshTokens: true, ...behaviour }

  const issue = (issued: Issued) => {
    const token = `access-token-number-${++count}`
    access.set(token, issued)
    const next = `refresh-token-number-${count}`
    if (settings.refreshTokens) refresh.set(next, issued)
    const more = settings.refreshTokens ? { refresh_token: next } : {}
    return {
      body: { access_token: token, token_type: 'Bearer', expires_in: settings.lifetime, scope: issued.scope, ...more },
    }
  }

  const server = await scriptedApi(({ url, body }) => {
    const { pathname, searchParams: query } = new URL(url, server.url)
    const form = new URLSearchParams(body)
    if (pathname === '/.well-known/oauth-authorization-server') return { body: metadata() }
    if (pathname === '/authorize') {
      const code = `code-${++count}`
      codes.set(code, {
        client: query.get('client_id') ?? '',
        resource: query.get('resource'),
        scope: query.get('scope') ?? '',
        challenge: query.get('code_challenge') ?? '',
        redirect: query.get('redirect_uri') ?? '',
      })
      const target = new URL(query.get('redirect_uri') ?? '')
      target.searchParams.set('code', code)
      target.searchParams.set('state', query.get('state') ?? '')
      const issuer = settings.answersAs === undefined ? server.url : settings.answersAs
      if (issuer !== null) target.searchParams.set('iss', issuer)
      return { status: 302, headers: { location: target.href } }
    }
    if (pathname === '/register') {
      registered.push(JSON.parse(body))
      return { status: 201, body: { ...JSON.parse(body), client_id: `client-${++count}`, ...settings.registration } }
    }
    if (pathname === '/revoke') {
      revoked.push(form.get('token') ?? '')
      return { status: 200 }
    }
    if (pathname !== '/token') return { status: 404 }
    tokenRequests.push(form)
    if (settings.tokenAnswer) return settings.tokenAnswer()
    const refused = { status: 400, body: { error: 'invalid_grant' } }
    if (form.get('grant_type') === 'refresh_token') {
      const held = refresh.get(form.get('refresh_token') ?? '')
      refresh.delete(form.get('refresh_token') ?? '')
      return held ? issue(held) : refused
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = code && proof === code.challenge && form.get('redirect_uri') === code.redirect
    return isRight ? issue({ client: code.client, resource: form.get('resource'), scope: code.scope }) : refused
  })

  const metadata = () => ({
    issuer: server.url,
    authorization_endpoint: `${server.url}/authorize`,
    token_endpoint: `${server.url}/token`,
    registration_endpoint: `${server.url}/register`,
    revocation_endpoint: `${server.url}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...settings.metadata,
  })

  return {
    ...server,
    settings,
    access,
    tokenRequests,
    registered,
    revoked,
    /** Ends every grant, as a person does at the provider. */
    forget() {
      access.clear()
      refresh.clear()
    },
    accepts: (authorization: string | undefined): boolean => access.has(authorization?.replace('Bearer ', '') ?? ''),
  }
}

/** Opens the page of the authorization server like a browser, and returns the address of the callback that it answers with. */
export async function consent(authorizeUrl: string): Promise<URL> {
  const answer = await fetch(authorizeUrl, { redirect: 'manual' })
  await answer.body?.cancel()
  return new URL(answer.headers.get('location') ?? '')
}
