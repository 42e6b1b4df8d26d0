import type { Caller, Context } from '../../kernel/context.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import { chargedReply } from '../models/calls.ts'
import type { ModelRow } from '../models/service.ts'
import type { Purpose } from '../usage/ledger.ts'

interface ModelRequest {
  model: ModelRow
  purpose?: Purpose
  messages: ModelMessage[]
  temperature: number | null
  signal: AbortSignal
}

/** The outcome of one model call. */
interface ModelResponse {
  text: string
  latencyMs: number
  failure: unknown
}

export async function callModel(
  ctx: Context,
  who: Caller,
  { model, purpose = {}, ...request }: ModelRequest,
): Promise<ModelResponse> {
  let text = ''
  const onText = (delta: string) => {
    text += delta
  }
  const started = performance.now()
  const failure = await chargedReply(ctx, who, purpose, model, { ...request, onText }).then(
    () => null,
    (error: unknown) => error,
  )
  return { text, latencyMs: Math.round(performance.now() - started), failure }
}
