import type { JSONValue } from '@jmespath-community/jmespath'
import { Masks, type MasksData } from '../../../kernel/secrets/masks.ts'

/** An answer as it was received. Plain data, so that a thread can read it. */
export interface ReadTask {
  bytes: Uint8Array
  status: number
  contentType: string
  /** A JMESPath expression. Not applied to errors. */
  path: string | null
  masks: MasksData
}

/** The result of an HTTP call as the model gets it. */
export interface Answer {
  /** JSON text, or text. Null: nothing was answered. */
  text: string | null
  isJson: boolean
  /** The text was too long and is cut off. */
  isCut: boolean
  error?: string
}

const maxTextLength = 256 * 1024

/** Reads the content of a response, with secrets masked. Throws if the expression cannot be applied. */
export async function readAnswer({ bytes, status, contentType, path, masks: data }: ReadTask): Promise<Answer> {
  if (bytes.length === 0) return { text: null, isJson: false, isCut: false }
  const masks = Masks.from(data)
  const text = decodeText(bytes, contentType)
  if (text === null) return plain(`[${bytes.length} bytes of ${contentType.split(';')[0] || 'binary data'}]`)
  const claimsJson = /[/+]json\b/i.test(contentType)
  const wantedPath = status < 300 ? path : null
  // Secrets are masked in the parsed values: escapes cannot hide one, and masking cannot break the JSON.
  const value = claimsJson || wantedPath !== null || /^\s*[[{]/.test(text) ? safeJson(text, masks) : undefined
  if (value !== undefined) return json(wantedPath === null ? value : await selected(value, wantedPath))
  const answer = plain(masks.hide(text))
  if (wantedPath !== null)
    return { ...answer, error: `The API did not answer with JSON, so response_path ("${path}") cannot be applied.` }
  return claimsJson && status < 300
    ? { ...answer, error: 'The API answered with a JSON content type, but the body is not JSON.' }
    : answer
}

/** Cut after masking: half a secret would not be recognised. */
const plain = (text: string): Answer => ({
  text: text.slice(0, maxTextLength),
  isJson: false,
  isCut: text.length > maxTextLength,
})

function json(value: unknown): Answer {
  const text = JSON.stringify(value)
  return text.length > maxTextLength ? plain(text) : { text, isJson: true, isCut: false }
}

async function selected(value: unknown, path: string): Promise<unknown> {
  const { search } = await import('@jmespath-community/jmespath')
  return search(value as JSONValue, path) ?? null
}

/** Returns undefined for text that is not JSON. */
function safeJson(text: string, masks: Masks): unknown {
  try {
    return masks.hideIn(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns null for binary data. */
function decodeText(bytes: Uint8Array, type: string): string | null {
  if (/^(image|audio|video|font)\//i.test(type) || bytes.subarray(0, 8000).includes(0)) return null
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
