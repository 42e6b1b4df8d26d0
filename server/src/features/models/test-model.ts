import type { Caller, Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { sendTestRequest, testRequest } from '../../kernel/llm/test-model.ts'
import { second, timestamp } from '../../kernel/time.ts'
import { storedKey } from './available.ts'
import { chargedCall } from './calls.ts'
import { inferType } from './infer-type.ts'
import type { CheckBody, TestResult } from './schema.ts'
import { addressOfModel, checkLocation, models } from './service.ts'

const timeout = 20 * second

/** Sends the smallest possible request. It is billed, and refused by an exhausted budget, like any other call. */
export async function testModel(ctx: Context, who: Caller, id: string): Promise<TestResult> {
  const model = await models.get(ctx, who, id)
  const signal = AbortSignal.timeout(timeout)
  const call = { ...testRequest, kind: model.type, signal }
  const result = startTest()
  try {
    await chargedCall(ctx, who, { userId: who.userId }, model, call, async () => {
      const address = addressOfModel(ctx, who.workspace, model)
      const usage = await sendTestRequest(address, ctx.providers, signal, { embedding: ctx.embedding })
      return { result: null, usage }
    })
    return await keep(ctx, who, id, result(null))
  } catch (error) {
    if (error instanceof Problem && (error.code === 'budget_exceeded' || error.code === 'price_unknown')) throw error
    return keep(ctx, who, id, result(reason(error)))
  }
}

/** Starts the clock of a test. The function that it returns makes the result, from the error or from null. */
function startTest(): (error: string | null) => TestResult {
  const startedAt = performance.now()
  return (error) => ({ ok: error === null, latency_ms: Math.round(performance.now() - startedAt), error })
}

/** Stores the result with the model. Its revision stays: nothing that somebody has set is changed. */
async function keep(ctx: Context, who: Caller, id: string, result: TestResult): Promise<TestResult> {
  const last_test = JSON.stringify({ ...result, tested_at: timestamp(ctx.now()) })
  await ctx.db
    .updateTable('model')
    .set({ last_test: last_test as never })
    .where('workspace_id', '=', who.workspace)
    .where('id', '=', id)
    .execute()
  return result
}

/** Tests a model that is not stored yet. Without a model there is nobody to bill. */
export async function checkModel(ctx: Context, who: Caller, body: CheckBody): Promise<TestResult> {
  const { provider, endpoint = null, model_id, type = inferType(model_id) } = body
  checkLocation({ provider, endpoint })
  const apiKey = body.api_key ?? (await storedKey(ctx, who, body))
  const address = { provider, endpoint, apiKey, model_id, type, options: {} }
  const result = startTest()
  try {
    await sendTestRequest(address, ctx.providers, AbortSignal.timeout(timeout), { embedding: ctx.embedding })
    return result(null)
  } catch (error) {
    if (error instanceof Problem) throw error
    return result(reason(error))
  }
}
