import { LRUCache } from 'lru-cache'
import type { Context } from '../../../kernel/context.ts'
import type { Masks } from '../../../kernel/secrets/masks.ts'
import { minute, second } from '../../../kernel/time.ts'
import { CallError } from '../errors.ts'

export interface TokenRequest {
  url: string
  clientId: string
  clientSecret: string
  scope: string | undefined
}

interface FetchContext {
  request: TokenRequest
  masks: Masks
  timeout: number
}

const defaultLifetime = 10 * minute
/** Tokens are renewed this long before they expire. */
const renewalMargin = 30 * second
const maxResponseBytes = 64 * 1024

/** OAuth2 tokens by client credentials, until shortly before they expire. Concurrent calls share one request. */
export class TokenCache {
  readonly #ctx: Context
  readonly #tokens: LRUCache<string, string, FetchContext>

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#tokens = new LRUCache({
      max: 1000,
      ttl: defaultLifetime,
      perf: { now: () => ctx.now() },
      noDeleteOnFetchRejection: true,
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { context, options }) => {
        const { token, lifetime } = await this.#request(context)
        options.ttl = Math.max(lifetime - renewalMargin, lifetime / 2)
        return token
      },
    })
  }

  get(key: string, context: FetchContext, { renew = false } = {}): Promise<string> {
    return this.#tokens.forceFetch(key, { context, forceRefresh: renew })
  }

  async #request({ request, masks, timeout }: FetchContext): Promise<{ token: string; lifetime: number }> {
    const { status, body } = await this.#send(request, timeout)
    const answer = asObject(body)
    const { access_token: token, expires_in: seconds } = answer
    if (status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      if (typeof token === 'string') masks.add(token)
      const words = [answer.error, answer.error_description].filter((each) => typeof each === 'string').join(': ')
      const why = masks.hide(words).slice(0, 300) // masked before it is cut: half a secret would not be recognised
      throw new CallError(
        `The token server at ${new URL(request.url).host} gave no token: it answered ${status}${why && ` (${why})`}.`,
      )
    }
    return { token, lifetime: Number(seconds) > 0 ? Number(seconds) * second : defaultLifetime }
  }

  /** Servers that do not accept basic authentication, as the standard demands, get the credentials in the body. */
  async #send(request: TokenRequest, timeout: number) {
    const { url, clientId, clientSecret, scope } = request
    const grant = { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }
    const send = (fields: Record<string, string>, headers: Record<string, string>) =>
      this.#ctx.egress.request(url, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
        timeout,
        maxBytes: maxResponseBytes,
      })
    const answer = await send(grant, { authorization: `Basic ${formCredentials(request)}` })
    if (answer.status !== 400 && answer.status !== 401) return answer
    return send({ ...grant, client_id: clientId, client_secret: clientSecret }, {})
  }
}

/** Credentials of basic authentication, as they appear in the header. */
export const basicCredentials = (name: string, secret: string): string =>
  Buffer.from(`${name}:${secret}`).toString('base64')

/** OAuth2 wants both parts form-encoded before they are joined. */
export const formCredentials = ({ clientId, clientSecret }: TokenRequest): string =>
  basicCredentials(formEncoded(clientId), formEncoded(clientSecret))

const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2)

function asObject(body: Buffer): Record<string, unknown> {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as unknown
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
