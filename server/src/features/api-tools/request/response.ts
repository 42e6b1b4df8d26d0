import type { Context } from '../../../kernel/context.ts'
import type { EgressResponse } from '../../../kernel/egress/egress.ts'
import type { Masks } from '../../../kernel/secrets/masks.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { SandboxError } from '../sandbox/sandbox.ts'

interface ToolResponse {
  /** Parsed JSON, or text. */
  body: unknown
  error?: string
}

const maxSelectedLength = 1024 * 1024

/** The content of a response, with secrets masked. */
export async function readResponse(
  ctx: Context,
  tool: ApiToolRow,
  answer: EgressResponse,
  masks: Masks,
): Promise<ToolResponse> {
  const type = answer.headers['content-type'] ?? ''
  if (answer.body.length === 0) return { body: null }
  const text = textOf(answer.body, type)
  if (text === null) return { body: `[${answer.body.length} bytes of ${type.split(';')[0] || 'binary data'}]` }
  const claimsJson = /[/+]json\b/i.test(type)
  const path = answer.status < 300 ? tool.response_path : null
  // Secrets are masked in the parsed values: escapes cannot hide one, and masking cannot break the JSON.
  const safe = claimsJson || path !== null || /^\s*[[{]/.test(text) ? safeJson(text, masks) : undefined
  if (safe !== undefined) return path === null ? { body: safe } : selected(ctx, safe, path)
  const body = masks.hide(text)
  if (path !== null)
    return { body, error: `The API did not answer with JSON, so response_path ("${path}") cannot be applied.` }
  return claimsJson && answer.status < 300
    ? { body, error: 'The API answered with a JSON content type, but the body is not JSON.' }
    : { body }
}

async function selected(ctx: Context, value: unknown, path: string): Promise<ToolResponse> {
  try {
    const { sandbox } = ctx.state['api-tools']
    const chosen = await sandbox.select(JSON.stringify(value), path, maxSelectedLength)
    return { body: JSON.parse(chosen) as unknown }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return { body: null, error: `response_path ("${path}") cannot be applied to the answer: ${error.message}.` }
  }
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
function textOf(body: Buffer, type: string): string | null {
  if (/^(image|audio|video|font)\//i.test(type) || body.subarray(0, 8000).includes(0)) return null
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8')
  }
}
