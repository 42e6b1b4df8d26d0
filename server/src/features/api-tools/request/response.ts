import type { Context } from '../../../kernel/context.ts'
import type { EgressResponse } from '../../../kernel/egress/egress.ts'
import type { Masks } from '../../../kernel/secrets/masks.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { largeAnswer, SandboxError, type Work } from '../sandbox.ts'
import { readAnswer } from './answer.ts'

interface ToolResponse {
  /** Parsed JSON, or text. */
  body: unknown
  error?: string
}

const cutOff = '\n[The rest was cut off: the answer was too long.]'

/** The content of a response, with secrets masked. */
export async function readResponse(
  ctx: Context,
  tool: ApiToolRow,
  answer: EgressResponse,
  masks: Masks,
  work: Work,
): Promise<ToolResponse> {
  const path = answer.status < 300 ? tool.response_path : null
  const task = {
    bytes: answer.body,
    status: answer.status,
    contentType: answer.headers['content-type'] ?? '',
    path,
    masks: masks.data(),
  }
  const isLarge = answer.body.length > largeAnswer
  try {
    // Expressions can be slow whatever they are applied to.
    const read = isLarge || path !== null ? ctx.state['api-tools'].sandbox.readAnswer(task, work) : readAnswer(task)
    const { text, isJson, isCut, error } = await read
    const body = text !== null && isJson ? (JSON.parse(text) as unknown) : isCut ? `${text}${cutOff}` : text
    return { body, ...(error !== undefined && { error }) }
  } catch (failure) {
    if (!(failure instanceof SandboxError)) throw failure
    const error =
      path === null
        ? `The answer of the API could not be read: ${failure.message}.`
        : `response_path ("${path}") cannot be applied to the answer: ${failure.message}.`
    return { body: null, error }
  }
}
