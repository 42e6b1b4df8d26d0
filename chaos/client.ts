import { type Cluster, token } from './cluster.ts'
import { pause } from './wait.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses are checked by the auditor
export type Json = any

export interface Answer {
  status: number
  body: Json
}

interface Ask {
  body?: unknown
  form?: () => FormData
  /** Repeats the request under this key until it gets a final answer. */
  key?: string
}

const attemptTimeout = 20_000
const repeatFor = 90_000

/** A client that sends requests to all nodes in turn, and repeats a request without a final answer on another node. */
export class Client {
  readonly #cluster: Cluster
  #turn = 0
  #isOver = false

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** Requests that get no final answer are given up from now on. */
  giveUp(): void {
    this.#isOver = true
  }

  /** Null if there was no final answer in time. */
  async ask(method: string, path: string, { body, form, key }: Ask = {}): Promise<Answer | null> {
    const end = Date.now() + repeatFor
    while (Date.now() < end && !this.#isOver) {
      const answer = await this.#attempt(method, path, { body, ...(form && { form }), ...(key && { key }) })
      if (answer !== null && !isTemporary(answer)) return answer
      await pause(200)
    }
    return null
  }

  get = (path: string) => this.ask('GET', path)
  post = (path: string, body: unknown, key: string) => this.ask('POST', path, { body, key })

  async #attempt(method: string, path: string, { body, form, key }: Ask): Promise<Answer | null> {
    try {
      const response = await this.open(method, path, { body, ...(form && { form }), ...(key && { key }) })
      const text = await response.text()
      return { status: response.status, body: JSON.parse(text) }
    } catch {
      return null // no node, or the connection was lost
    }
  }

  /** Sends a request to the next node once. */
  async open(method: string, path: string, { body, form, key }: Ask = {}): Promise<Response> {
    const url = this.#next()
    if (url === null) throw new Error('No node is up.')
    const content = form?.() ?? (body === undefined ? undefined : JSON.stringify(body))
    return fetch(`${url}/api${path}`, {
      method,
      signal: AbortSignal.timeout(attemptTimeout),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(content !== undefined && { body: content }),
    })
  }

  #next(): string | null {
    const { apis } = this.#cluster
    for (let n = 0; n < apis.length; n++) {
      const { url } = apis[this.#turn++ % apis.length] ?? { url: null }
      if (url !== null) return url
    }
    return null
  }
}

/** Whether the same request may get another answer later. */
function isTemporary({ status, body }: Answer): boolean {
  if (status === 502) return false // the model provider failed, and that is stored
  return status >= 500 || status === 429 || body.code === 'idempotency_in_progress' || body.code === 'conversation_busy'
}
