import type { Context } from '../../../kernel/context.ts'
import type { EgressAnswer } from '../../../kernel/egress/egress.ts'
import type { Masks } from '../../../kernel/secrets/masks.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { ThreadError } from '../sandbox/thread.ts'

interface Answer {
  /** JSON where it is JSON, else text. */
  body: unknown
  error?: string
}

const mostSelected = 1024 * 1024

/** What an answer says, without secrets that it may echo. */
export async function answerOf(ctx: Context, tool: ApiToolRow, answer: EgressAnswer, masks: Masks): Promise<Answer> {
  const type = answer.headers['content-type'] ?? ''
  if (answer.body.length === 0) return { body: null }
  const text = textOf(answer.body, type)
  if (text === null) return { body: `[${answer.body.length} bytes of ${type.split(';')[0] || 'binary data'}]` }
  const claimsJson = /[/+]json\b/i.test(type)
  const path = answer.status < 300 ? tool.response_path : null
  // Secrets are hidden in what JSON says, not in how it is written: escapes cannot carry one past, nor can one break it.
  const safe = claimsJson || path !== null || /^\s*[[{]/.test(text) ? safeJson(text, masks) : undefined
  if (safe !== undefined) return path === null ? { body: safe } : selected(ctx, safe, path)
  const body = masks.hide(text)
  if (path !== null)
    return { body, error: `The API did not answer with JSON, so response_path ("${path}") cannot be applied.` }
  return claimsJson && answer.status < 300
    ? { body, error: 'The API says that it answers with JSON, but what it answered is not JSON.' }
    : { body }
}

async function selected(ctx: Context, value: unknown, path: string): Promise<Answer> {
  try {
    const text = JSON.stringify(value)
    const chosen = await ctx.state['api-tools'].threads.quick.run('select', {
      text,
      path,
      mostCharacters: mostSelected,
    })
    return { body: JSON.parse(chosen) as unknown }
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error
    return { body: null, error: `response_path ("${path}") cannot be applied to the answer: ${error.message}.` }
  }
}

/** Undefined for what is not JSON. */
function safeJson(text: string, masks: Masks): unknown {
  try {
    return masks.hideIn(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Null for what is not text. */
function textOf(body: Buffer, type: string): string | null {
  if (/^(image|audio|video|font)\//i.test(type) || body.subarray(0, 8000).includes(0)) return null
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8')
  }
}
