import type { Caller, Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { sendTestRequest, testRequest } from '../../kernel/llm/test-model.ts'
import { second } from '../../kernel/time.ts'
import { chargedCall } from './calls.ts'
import type { TestResult } from './schema.ts'
import { addressOfModel, models } from './service.ts'

const timeout = 20 * second

/** Sends the smallest possible request. It is billed, and refused by an exhausted budget, like any other call. */
export async function testModel(ctx: Context, who: Caller, id: string): Promise<TestResult> {
  const model = await models.get(ctx, who, id)
  const signal = AbortSignal.timeout(timeout)
  const call = { ...testRequest, kind: model.type, signal }
  const startedAt = performance.now()
  const result = (error: string | null): TestResult => ({
    ok: error === null,
    latency_ms: Math.round(performance.now() - startedAt),
    error,
  })
  try {
    await chargedCall(ctx, who, { userId: who.userId }, model, call, async () => {
      const address = addressOfModel(ctx, who.workspace, model)
      const usage = await sendTestRequest(address, ctx.providers, signal, { embedding: ctx.embedding })
      return { result: null, usage }
    })
    return result(null)
  } catch (error) {
    if (error instanceof Problem && (error.code === 'budget_exceeded' || error.code === 'price_unknown')) throw error
    return result(reason(error))
  }
}
