import { type Dispatcher, request } from 'undici'
import { reason } from '../errors.ts'
import { second } from '../time.ts'
import { providerNamed } from './providers.ts'

export interface ModelAddress {
  provider: string
  model_id: string
  type: 'chat' | 'embedding' | 'rerank'
  endpoint: string | null
  apiKey: string | null
}

export interface ProbeResult {
  ok: boolean
  latency_ms: number
  error: string | null
}

const patience = 20 * second
const longestError = 500

/** Asks a model for the smallest thing it does, to see whether address, key and name are right. */
export async function probe(model: ModelAddress, dispatcher: Dispatcher): Promise<ProbeResult> {
  const started = performance.now()
  const result = (error: string | null): ProbeResult => ({
    ok: error === null,
    latency_ms: Math.round(performance.now() - started),
    error,
  })
  const question = smallestQuestion(model)
  if (!question) return result('The engine of the local models is not part of this version.')
  try {
    const { statusCode, body } = await request(question.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...question.headers },
      body: JSON.stringify(question.body),
      dispatcher,
      signal: AbortSignal.timeout(patience),
      headersTimeout: patience,
      bodyTimeout: patience,
    })
    const text = await body.text()
    return result(
      statusCode < 300 ? null : `The provider answered ${statusCode}: ${providerMessage(text, model.apiKey)}`,
    )
  } catch (error) {
    return result(`The provider could not be reached: ${reason((error as Error).cause ?? error)}`)
  }
}

function smallestQuestion(model: ModelAddress) {
  const provider = providerNamed(model.provider)
  const base = (model.endpoint ?? provider.endpoint ?? '').replace(/\/$/, '')
  const bearer = model.apiKey === null ? {} : { authorization: `Bearer ${model.apiKey}` }
  const key = model.apiKey ?? ''
  const name = model.model_id
  const messages = [{ role: 'user', content: 'Say OK.' }]
  switch (provider.wire) {
    case 'local':
      return null
    case 'openai':
      return {
        chat: { url: `${base}/chat/completions`, headers: bearer, body: { model: name, messages } },
        embedding: { url: `${base}/embeddings`, headers: bearer, body: { model: name, input: 'OK' } },
        rerank: { url: `${base}/rerank`, headers: bearer, body: { model: name, query: 'OK', documents: ['OK'] } },
      }[model.type]
    case 'anthropic':
      return {
        url: `${base}/messages`,
        headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
        body: { model: name, messages, max_tokens: 1 },
      }
    case 'google': {
      const content = { parts: [{ text: 'Say OK.' }] }
      const [action, body] =
        model.type === 'embedding' ? ['embedContent', { content }] : ['generateContent', { contents: [content] }]
      return { url: `${base}/models/${encodeURIComponent(name)}:${action}`, headers: { 'x-goog-api-key': key }, body }
    }
    case 'cohere':
      return {
        chat: { url: `${base}/chat`, headers: bearer, body: { model: name, messages, max_tokens: 1 } },
        embedding: {
          url: `${base}/embed`,
          headers: bearer,
          body: { model: name, texts: ['OK'], input_type: 'search_query', embedding_types: ['float'] },
        },
        rerank: { url: `${base}/rerank`, headers: bearer, body: { model: name, query: 'OK', documents: ['OK'] } },
      }[model.type]
  }
}

function providerMessage(text: string, key: string | null): string {
  let message = text
  try {
    const { error, message: plain } = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown }
    const found = typeof error === 'object' ? error.message : (error ?? plain)
    if (typeof found === 'string') message = found
  } catch {
    // Not JSON: what came is shown as it is.
  }
  const masked = key ? message.replaceAll(key, '***') : message
  return masked.slice(0, longestError) || 'no explanation'
}
