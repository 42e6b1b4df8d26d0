import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@modelcontextprotocol/client'
import type { ToolAnswer, ToolQuestion } from '../../../kernel/agent/needs.ts'
import { isObject } from '../../../kernel/is-object.ts'

/** A call during which the server may ask the person. */
export interface AskedCall {
  canPause: boolean
  answers: ToolAnswer[]
  /** Set by the first question without an answer. The call is abandoned then, and made again with the answer. */
  question?: ToolQuestion
  abandon(): void
}

interface Elicitation {
  mode?: string
  message: string
  url?: string
  requestedSchema?: Record<string, unknown>
}

interface ElicitationResult {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number | boolean | string[]>
  _meta?: Record<string, unknown>
  [key: string]: unknown
}

const maxMessageLength = 4000
const urlElicitationRequired = -32042

/** The calls of a session. A question arrives in the context of the call that it belongs to, if the server says so. */
export class Questions {
  readonly #current = new AsyncLocalStorage<AskedCall | null>()
  readonly #open = new Set<AskedCall>()

  /** Makes a call during which questions are answered, or abandon it. */
  async during<T>(call: AskedCall, work: () => Promise<T>): Promise<T> {
    this.#open.add(call)
    try {
      return await this.#current.run(call, work)
    } finally {
      this.#open.delete(call)
    }
  }

  /** Questions that arrive on a connection opened here belong to no call: it outlives the call that needed it. */
  outside = <T>(work: () => Promise<T>): Promise<T> => this.#current.run(null, work)

  listen(client: Client): void {
    client.setRequestHandler('elicitation/create', async ({ params }) => this.#answer(params as unknown as Elicitation))
  }

  /** Handles a call that the server refuses until the person has opened a page (error -32042 of MCP). */
  refused(call: AskedCall, error: unknown): void {
    const { code, data } = (error ?? {}) as { code?: unknown; data?: { elicitations?: unknown } }
    const asked = code === urlElicitationRequired && Array.isArray(data?.elicitations) ? data.elicitations : []
    const [first] = asked.filter((each): each is Elicitation => isObject(each) && wrongUrl(String(each.url)) === null)
    if (!first || !call.canPause) return
    const question = { message: String(first.message).slice(0, maxMessageLength), url: String(first.url) }
    // A person who has refused is not asked again in the same call; one who has opened the page may not have finished there.
    if (!call.answers.some((each) => isSame(each, question) && each.action !== 'accept')) call.question ??= question
  }

  #answer({ mode = 'form', message, url, requestedSchema: schema }: Elicitation): ElicitationResult {
    const call = this.#current.getStore() ?? (this.#open.size === 1 ? [...this.#open][0] : undefined)
    if (!call) return declined('The question belongs to no call.')
    const question = {
      message: message.slice(0, maxMessageLength),
      ...(mode === 'url' ? { url: url ?? '' } : { schema: schema ?? {} }),
    }
    const problem = mode === 'url' ? wrongUrl(url ?? '') : wrongForm(message, schema ?? {})
    if (problem !== null) return declined(problem)
    const at = call.answers.findIndex((each) => isSame(each, question))
    const [answer] = at < 0 ? [] : call.answers.splice(at, 1)
    if (answer)
      return {
        action: answer.action,
        ...(answer.action === 'accept' && 'schema' in question && { content: (answer.content ?? {}) as never }),
      }
    if (!call.canPause) return declined('Nobody can answer here.')
    call.question ??= question
    call.abandon()
    return { action: 'cancel' }
  }
}

const isSame = ({ message, schema, url }: ToolQuestion, question: ToolQuestion): boolean =>
  message === question.message && url === question.url && isDeepStrictEqual(schema, question.schema)

const declined = (reason: string): ElicitationResult => ({ action: 'decline', _meta: { 'parley/reason': reason } })

const wrongUrl = (url: string): string | null =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? null : 'The URL must be an http or https address.'

const maxFields = 50
const secretName =
  /pass(word|code|phrase|wd)|secret|token|api[\s_-]?key|access[\s_-]?key|private[\s_-]?key|credential|\bpin\b|\botp\b|cvv|cvc|card[\s_-]?number/i

/** A sentence may speak of tokens or pins, so only words that name a secret of a person count there. */
const secretWords =
  /\b(pass[\s-]?(words?|codes?|phrases?)|passwd|secret keys?|client secrets?|(api|access|private)[\s_-]?(keys?|tokens?)|credentials?|one[\s-]time[\s-](codes?|passwords?)|otp|cvv|cvc|card numbers?|pin codes?|your pin)\b/i
const refusal = 'asks for a secret. Secrets are never asked for by form: use URL mode.'

/** A form has few fields, which the library has checked to be plain, and asks for no secret: what is typed there is kept. */
function wrongForm(message: string, schema: Record<string, unknown>): string | null {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  if (properties.length > maxFields) return `A form has at most ${maxFields} fields.`
  const around = [message, schema.title, schema.description].filter((each) => typeof each === 'string')
  if (around.some((each) => secretWords.test(each))) return `The form ${refusal}`
  for (const [name, field] of properties) {
    const { title, description, format } = (isObject(field) ? field : {}) as Record<string, unknown>
    const words = [name.replace(/([a-z])([A-Z])/g, '$1 $2'), title, description].filter(
      (each) => typeof each === 'string',
    )
    if (format === 'password' || words.some((each) => secretName.test(each))) return `The field "${name}" ${refusal}`
  }
  return null
}
