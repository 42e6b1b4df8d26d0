/** The responses of the scripted provider on routes that do not stream. */
import { openaiFinish, openaiUsage, type Reply, toCallId } from './scripted-wires.ts'

type Body = Record<string, unknown>

/** A vector that depends only on the text. */
export function embedText(text: string, dimensions = 8): Float32Array {
  let state = 2_166_136_261
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 16_777_619)
  return Float32Array.from({ length: dimensions }, () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    return state / 2 ** 31
  })
}

/** The share of the query's words that are in the document. */
export function scoreRelevance(query: string, document: string): number {
  const words = query.toLowerCase().split(/\W+/)
  return words.filter((word) => document.toLowerCase().includes(word)).length / words.length
}

export function completion(reply: Reply) {
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    id: toCallId(call, index),
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  const message = {
    role: 'assistant',
    content: (reply.deltas ?? []).join(''),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const usage = openaiUsage(reply)
  return {
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    object: 'chat.completion',
    created: 1_741_569_952,
    model: 'scripted-1',
    choices: [{ index: 0, message, logprobs: null, finish_reason: openaiFinish(reply) }],
    ...(usage && { usage }),
  }
}

/** The response of an embedding or rerank route of any provider, or null for other routes. */
export function answer(path: string, body: Body): object | null {
  const route = path.split('?')[0] ?? ''
  if (route.endsWith('/embeddings')) return openaiEmbeddings(body)
  if (route.endsWith('/embed')) return cohereEmbeddings(body)
  if (route.endsWith(':embedContent')) return { embedding: { values: numbers(googleText(body)) } }
  if (route.endsWith(':batchEmbedContents')) {
    const requests = body.requests as Body[]
    return { embeddings: requests.map((each) => ({ values: numbers(googleText(each)) })) }
  }
  return route.endsWith('/rerank') ? reranking(body) : null
}

const numbers = (text: string): number[] => [...embedText(text)]

const googleText = (body: Body): string => (body.content as { parts: { text: string }[] }).parts[0]?.text ?? ''

function openaiEmbeddings(body: Body) {
  const input = [body.input].flat() as string[]
  const data = input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding:
      body.encoding_format === 'base64' ? Buffer.from(embedText(text).buffer).toString('base64') : numbers(text),
  }))
  // Reversed, because providers do not guarantee an order.
  return { object: 'list', model: body.model, data: data.reverse(), usage: tokensIn(input) }
}

function tokensIn(texts: string[]) {
  const count = texts.reduce((sum, text) => sum + text.length, 0)
  return { prompt_tokens: count, total_tokens: count }
}

function cohereEmbeddings(body: Body) {
  const texts = body.texts as string[]
  return {
    id: '5807ee2e-0cda-445a-9ec8-864c60a06606',
    texts,
    embeddings: { float: texts.map(numbers) },
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokensIn(texts).prompt_tokens } },
  }
}

function reranking(body: Body) {
  const { query, documents } = body as { query: string; documents: string[] }
  const results = documents.map((document, index) => ({ index, relevance_score: scoreRelevance(query, document) }))
  return {
    model: body.model,
    results: results.sort((one, other) => other.relevance_score - one.relevance_score),
    usage: { total_tokens: tokensIn([query, ...documents]).total_tokens },
  }
}
