import type { Context } from '../../../kernel/context.ts'
import { Masks } from '../../../kernel/secrets/masks.ts'
import { minute, second } from '../../../kernel/time.ts'
import { type ApiToolRow, openSecrets } from './auth.ts'

/** A call that failed, with words for a person and for a model. */
export class CallError extends Error {}

/** What a call carries to prove who it is. */
export interface Credentials {
  headers: Record<string, string>
  query: Record<string, string>
  masks: Masks
  /** Whether a new token could be had when this one is refused. */
  renewable: boolean
}

export async function credentialsOf(
  ctx: Context,
  workspace: string,
  tool: ApiToolRow,
  options: { timeout: number; signal?: AbortSignal; renew?: boolean },
): Promise<Credentials> {
  const secrets = openSecrets(ctx, workspace, tool)
  const { auth } = tool
  const masks = new Masks()
  masks.add(...Object.values(secrets))
  const credentials: Credentials = { headers: {}, query: {}, masks, renewable: false }
  const need = (value: string | undefined, part: string): string => {
    if (value === undefined) throw new CallError(`The tool cannot be called yet: its auth.${part} is not set.`)
    return value
  }
  if (auth.type === 'bearer') {
    const token = need(secrets.token, 'token')
    masks.addBehind(['Bearer '], token)
    credentials.headers.authorization = `Bearer ${token}`
  }
  if (auth.type === 'api_key') {
    const value = need(secrets.value, 'value')
    const { name = '' } = auth
    masks.addBehind([`${name}=`, `${name}: `, `${name.toLowerCase()}=`, `${name.toLowerCase()}: `], value)
    if (auth.in === 'query') credentials.query[name] = value
    else credentials.headers[name.toLowerCase()] = value
  }
  if (auth.type === 'basic') {
    const username = need(auth.username, 'username')
    const password = need(secrets.password, 'password')
    const encoded = pairOf(username, password)
    masks.addBehind([`${username}:`], password)
    masks.add(encoded)
    credentials.headers.authorization = `Basic ${encoded}`
  }
  if (auth.type === 'oauth2_client_credentials') {
    const asking = {
      url: need(auth.token_url, 'token_url'),
      id: need(auth.client_id, 'client_id'),
      secret: need(secrets.client_secret, 'client_secret'),
      scope: auth.scope,
    }
    masks.addBehind([`${asking.id}:`, 'client_secret='], asking.secret)
    masks.add(pairOf(asking.id, asking.secret), formPairOf(asking))
    const token = await ctx.state['api-tools'].tokens.get(
      `${workspace} ${tool.id} ${tool.revision}`,
      asking,
      masks,
      options,
    )
    masks.add(token)
    masks.addBehind(['Bearer '], token)
    credentials.headers.authorization = `Bearer ${token}`
    credentials.renewable = true
  }
  return credentials
}

/** As it travels in the header of basic authentication. */
const pairOf = (name: string, secret: string): string => Buffer.from(`${name}:${secret}`).toString('base64')

/** The standard wants both parts encoded as in a form before they are joined. */
const formPairOf = ({ id, secret }: Asking): string => pairOf(formEncoded(id), formEncoded(secret))

const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2)

interface Asking {
  url: string
  id: string
  secret: string
  scope: string | undefined
}

interface Token {
  value: string
  /** From then on a new one is asked for; before it really expires. */
  renewAt: number
}

const mostTokens = 1000
const usualLife = 10 * minute
const spare = 30 * second
const largestAnswer = 64 * 1024

/** Tokens by client credentials, kept until shortly before they expire; calls at the same time share one request. */
export class Tokens {
  readonly #ctx: Context
  readonly #kept = new Map<string, Token>()
  readonly #asked = new Map<string, Promise<string>>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  async get(
    key: string,
    asking: Asking,
    masks: Masks,
    { timeout, renew = false }: { timeout: number; renew?: boolean },
  ): Promise<string> {
    const known = this.#kept.get(key)
    if (known && !renew && known.renewAt > this.#ctx.now()) return known.value
    let answer = this.#asked.get(key)
    if (!answer) {
      answer = this.#ask(key, asking, timeout, masks).finally(() => this.#asked.delete(key))
      this.#asked.set(key, answer)
    }
    return answer
  }

  async #ask(key: string, asking: Asking, timeout: number, masks: Masks): Promise<string> {
    const since = this.#ctx.now()
    const { status, body } = await this.#request(asking, timeout)
    const answer = asObject(body)
    const { access_token: value, expires_in: life } = answer
    if (status !== 200 || typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
      if (typeof value === 'string') masks.add(value)
      const words = [answer.error, answer.error_description].filter((each) => typeof each === 'string').join(': ')
      const why = masks.hide(words).slice(0, 300) // hidden first: half a secret would not be found
      throw new CallError(
        `The token server at ${new URL(asking.url).host} gave no token: it answered ${status}${why && ` (${why})`}.`,
      )
    }
    const milliseconds = Number(life) > 0 ? Number(life) * second : usualLife
    if (this.#kept.size >= mostTokens) this.#kept.delete(this.#kept.keys().next().value ?? '')
    this.#kept.set(key, { value, renewAt: since + Math.max(milliseconds - spare, milliseconds / 2) })
    return value
  }

  /** By header as the standard has it; servers that do not take that get it in the body. */
  async #request(asking: Asking, timeout: number) {
    const { url, id, secret, scope } = asking
    const grant = { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }
    const send = (fields: Record<string, string>, headers: Record<string, string>) =>
      this.#ctx.egress.request(url, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
        timeout,
        mostBytes: largestAnswer,
      })
    const answer = await send(grant, { authorization: `Basic ${formPairOf(asking)}` })
    if (answer.status !== 400 && answer.status !== 401) return answer
    return send({ ...grant, client_id: id, client_secret: secret }, {})
  }
}

function asObject(body: Buffer): Record<string, unknown> {
  try {
    const found = JSON.parse(body.toString('utf8')) as unknown
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
