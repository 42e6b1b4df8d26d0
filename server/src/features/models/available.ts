import type { Caller, Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { listModels } from '../../kernel/llm/list-models.ts'
import { ProviderError } from '../../kernel/llm/model.ts'
import { second } from '../../kernel/time.ts'
import { inferType } from './infer-type.ts'
import type { AvailableModels, AvailableQuery } from './schema.ts'
import { addressOfModel, checkLocation, models } from './service.ts'
import { knownFacts } from './well-known.ts'

const timeout = 20 * second
const maxModels = 1000

/** The models that a provider lists for a key. Nothing is stored or billed. */
export async function availableModels(ctx: Context, who: Caller, query: AvailableQuery): Promise<AvailableModels> {
  const { provider, endpoint = null } = query
  checkLocation({ provider, endpoint })
  const address = { provider, endpoint, apiKey: query.api_key ?? (await storedKey(ctx, who, query)) }
  try {
    const offered = await listModels(address, ctx.providers, AbortSignal.timeout(timeout))
    const models = offered
      .slice(0, maxModels)
      .map((model) => ({ model_id: model.id, type: inferType(model.id), ...knownFacts(provider, model) }))
      .sort((one, other) => (one.model_id < other.model_id ? -1 : 1))
    return { status: 'listed', error: null, models }
  } catch (error) {
    if (error instanceof Problem) throw error
    return { status: classifyError(error), error: reason(error), models: [] }
  }
}

/** The key of a stored model, if it belongs to the same address. */
export async function storedKey(
  ctx: Context,
  who: Caller,
  { model, provider, endpoint = null }: AvailableQuery,
): Promise<string | null> {
  if (model === undefined) return null
  const stored = await models.get(ctx, who, model)
  const isSame = stored.provider === provider && stored.endpoint === endpoint
  return isSame ? addressOfModel(ctx, who.workspace, stored).apiKey : null
}

function classifyError(error: unknown): AvailableModels['status'] {
  if (!(error instanceof ProviderError)) return 'unavailable'
  const { status = 0, message } = error
  const isRefused = status === 401 || status === 403 || (status === 400 && /api.?key/i.test(message))
  return isRefused ? 'refused' : 'unavailable'
}
