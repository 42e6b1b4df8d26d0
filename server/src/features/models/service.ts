import type { Caller, Context } from '../../kernel/context.ts'
import { checkEndpoint } from '../../kernel/egress/model-endpoints.ts'
import { invalid, Problem, unknownReference } from '../../kernel/errors.ts'
import { embeddingModel, languageModel, type ModelAddress, reranker } from '../../kernel/llm/create-model.ts'
import type { EmbeddingModel, LanguageModel, Reranker } from '../../kernel/llm/model.ts'
import { providerNamed } from '../../kernel/llm/providers.ts'
import type { RetryOptions } from '../../kernel/llm/retry.ts'
import { sealedColumn } from '../../kernel/secrets/sealed.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { lockWorkspace } from '../../kernel/store/workspaces.ts'
import { timestamp } from '../../kernel/time.ts'
import { inferType } from './infer-type.ts'
import { localModels } from './local.ts'
import { type InputModality, inputModalities, knownModalities } from './modalities.ts'
import { free, normalisePricing, ownPrice, withoutPrice } from './pricing.ts'
import { Model } from './schema.ts'
import { knownWindow } from './well-known.ts'

export type ModelRow = Stored<Model> & { api_key_sealed: string | null }

export const computed = ['api_key_set', 'warnings'] as const

export const models = collection<typeof Model, { api_key_sealed: string | null }>({
  name: 'model',
  shape: Model,
  prefix: 'mdl',
  kind: 'model',
  computed,
  async complete(change) {
    const { next, input, previous } = change
    next.type ??= inferType(next.model_id)
    next.input_modalities = resolveModalities(change)
    checkAddress(change)
    if (input.pricing) next.pricing = normalisePricing(input.pricing, next.type, previous?.pricing ?? null)
    if (next.pricing === undefined) next.pricing = ownPrice(next)
    if (isLocal(next)) next.pricing ??= free
    sealKey(change)
    if (isElsewhere(change)) next.last_test = null
    if (previous?.is_default && !next.is_default) {
      invalid('is_default', 'cannot be unset; make another model the default instead')
    }
    if (previous && previous.type !== next.type) invalid('type', 'cannot be changed; create another model')
    if (next.is_default && !previous?.is_default) await unsetPreviousDefault(change)
  },
  async removed({ ctx, tx, who, row }) {
    if (isLocal(row) && !(await localModel(tx, who.workspace, row.model_id, row)))
      throw new Problem('in_use', 'The local models are built in and cannot be deleted.')
    if (row.is_default) await makeLocalDefault(ctx, tx, who.workspace, row)
  },
})

/** Whether requests go elsewhere than before, so that the last test says nothing about them. */
const isElsewhere = ({ next, previous }: Change<ModelRow>): boolean =>
  previous === undefined ||
  (['provider', 'model_id', 'endpoint', 'api_key_sealed'] as const).some((field) => next[field] !== previous[field])

/** The modalities without repetitions, in their fixed order. Every model accepts text. */
function resolveModalities({ next, input, previous }: Change<ModelRow>): Model['input_modalities'] {
  const isKept = input.input_modalities !== undefined || previous?.model_id === next.model_id
  const wanted = new Set<string>(isKept ? next.input_modalities : knownModalities(next.model_id))
  if (next.type !== 'chat') wanted.clear()
  return inputModalities.filter((modality) => modality === 'text' || wanted.has(modality))
}

const isLocal = (model: { provider: string }): boolean => providerNamed(model.provider).protocol === 'local'
const keyContext = (workspace: unknown, id: unknown): string => `${workspace} model ${id} api_key`

export const sealedKeys = sealedColumn('model', 'api_key_sealed', (row) => keyContext(row.workspace_id, row.id))

export const effectiveEndpoint = (model: { provider: string; endpoint: string | null }): string | null =>
  model.endpoint ?? providerNamed(model.provider).endpoint

function checkAddress({ next, input, previous, who }: Change<ModelRow>): void {
  if (isLocal(next)) {
    const builtIn = localModels.some((local) => local.model_id === next.model_id && local.type === next.type)
    if (!builtIn) {
      const names = localModels.map((local) => local.model_id).join(', ')
      invalid('model_id', `is not one of the built-in models (${names})`)
    }
    if (next.endpoint !== null) invalid('endpoint', 'must be empty for a local model')
  }
  if (previous && isLocal(previous) && (next.provider !== previous.provider || next.model_id !== previous.model_id)) {
    invalid('provider', 'of a built-in model cannot be changed; create another model')
  }
  if (next.endpoint !== previous?.endpoint || next.provider !== previous?.provider) checkLocation(next)
  const moved = previous !== undefined && effectiveEndpoint(previous) !== effectiveEndpoint(next)
  if (moved && previous.api_key_sealed !== null && input.api_key === undefined && who.token !== '') {
    invalid('api_key', 'must be sent again when the endpoint changes, so that a key never reaches another server')
  }
}

/** Checks the endpoint of a model. */
export function checkLocation({ provider, endpoint }: Pick<ModelRow, 'provider' | 'endpoint'>): void {
  if (endpoint !== null) {
    if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint)) invalid('endpoint', 'must be an http or https URL')
    if (new URL(endpoint).username !== '') invalid('endpoint', 'must not contain a user name or password; use api_key')
    checkEndpoint(endpoint)
  } else if (!isLocal({ provider }) && effectiveEndpoint({ provider, endpoint }) === null) {
    invalid('endpoint', `is required for the provider "${provider}"`)
  }
}

function sealKey({ ctx, who, next, input, previous }: Change<ModelRow>): void {
  const key = input.api_key as string | null | undefined
  if (key !== undefined || previous === undefined) {
    const unchanged = key && previous?.api_key_sealed && openKey(ctx, who.workspace, previous) === key
    if (!unchanged) next.api_key_sealed = key ? ctx.secrets.seal(key, keyContext(who.workspace, next.id)) : null
    next.api_key_hint = key && key.length >= 8 ? key.slice(-4) : null
  }
  delete (next as { api_key?: unknown }).api_key
}

/** There is one default of each type: unsets the previous one. */
async function unsetPreviousDefault({ ctx, tx, who, next }: Change<ModelRow>): Promise<void> {
  await lockWorkspace(tx, who.workspace)
  await tx
    .updateTable('model')
    .set((is) => ({ is_default: false, revision: is('revision', '+', 1), updated_at: timestamp(ctx.now()) }))
    .where('workspace_id', '=', who.workspace)
    .where('type', '=', next.type)
    .where('is_default', '=', true)
    .where('id', '!=', next.id)
    .execute()
}

/** The oldest row of a built-in model, apart from one that is being deleted. */
const localModel = (tx: Db, workspace: string, name: string, deleted?: ModelRow): Promise<{ id: string } | undefined> =>
  tx
    .selectFrom('model')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('provider', '=', 'local')
    .where('model_id', '=', name)
    .where('id', '!=', deleted?.id ?? '')
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()

/** A built-in model, whatever other models have its name. */
export async function builtInModel(
  db: Db,
  who: Pick<Caller, 'workspace'>,
  name: (typeof localModels)[number]['model_id'],
): Promise<ModelRow> {
  const row = await localModel(db, who.workspace, name)
  const model = row && (await models.find(db, who, row.id))
  return model ?? unknownReference('model_id', 'built-in model', name)
}

async function makeLocalDefault(ctx: Context, tx: Db, workspace: string, deleted: ModelRow): Promise<void> {
  const local = localModels.find((each) => each.type === deleted.type && each.is_default)
  const successor = local && (await localModel(tx, workspace, local.model_id, deleted))
  if (!successor) return
  await tx
    .updateTable('model')
    .set({ is_default: false })
    .where('workspace_id', '=', workspace)
    .where('id', '=', deleted.id)
    .execute()
  await tx
    .updateTable('model')
    .set((is) => ({ is_default: true, revision: is('revision', '+', 1), updated_at: timestamp(ctx.now()) }))
    .where('workspace_id', '=', workspace)
    .where('id', '=', successor.id)
    .execute()
}

function openKey(ctx: Context, workspace: string, model: ModelRow): string | null {
  return model.api_key_sealed === null ? null : ctx.secrets.open(model.api_key_sealed, keyContext(workspace, model.id))
}

export const present = (row: ModelRow) => ({
  ...row,
  api_key_set: row.api_key_sealed !== null,
  warnings: row.pricing === null ? [withoutPrice] : [],
})

/**
 * Finds a model of a type by its id, by the provider's name of it, or by its own name. Models of other types do not make
 * a name ambiguous.
 */
export async function resolve(
  db: Db,
  who: Pick<Caller, 'workspace'>,
  field: string,
  reference: string,
  type: Model['type'],
): Promise<ModelRow> {
  const found = (await models.find(db, who, reference)) ?? (await named(db, who, field, reference, type))
  if (!found) return unknownReference(field, 'model', reference, await knownModels(db, who, type))
  if (found.type !== type) invalid(field, `must be a model of type ${type}, but is of type ${found.type}`)
  return found
}

const maxNamedModels = 20

async function knownModels(db: Db, who: Pick<Caller, 'workspace'>, type: Model['type']): Promise<string[]> {
  const rows = await db
    .selectFrom('model')
    .select(['id', 'model_id'])
    .where('workspace_id', '=', who.workspace)
    .where('type', '=', type)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxNamedModels + 1)
    .execute()
  const names = rows.slice(0, maxNamedModels).map(({ id, model_id }) => `${model_id} (${id})`)
  return rows.length > maxNamedModels ? [...names, 'and others'] : names
}

async function named(
  db: Db,
  who: Pick<Caller, 'workspace'>,
  field: string,
  name: string,
  type: Model['type'],
): Promise<ModelRow | undefined> {
  for (const column of ['model_id', 'name'] as const) {
    const all = await db
      .selectFrom('model')
      .select(['id', 'name', 'type'])
      .where('workspace_id', '=', who.workspace)
      .where(column, '=', name)
      .orderBy('id')
      .execute()
    const ofType = all.filter((model) => model.type === type)
    if (ofType.length > 1) {
      const choices = ofType.map((model) => `${model.id} (${model.name})`).join(', ')
      invalid(field, `matches several models; use the id of one of them: ${choices}`)
    }
    const only = ofType[0] ?? all[0]
    if (only) return models.find(db, who, only.id)
  }
  return undefined
}

/** The context window in tokens: the configured one, else a well-known one. */
export const contextWindow = ({ provider, model_id, context_window }: ModelRow): number | null =>
  context_window ?? knownWindow(provider, model_id)

export const addressOfModel = (ctx: Context, workspace: string, model: ModelRow): ModelAddress => ({
  ...model,
  apiKey: openKey(ctx, workspace, model),
})

/** A chat model. Cached until its row changes, because it learns what its server supports. */
export function connect(ctx: Context, workspace: string, model: ModelRow): LanguageModel {
  const { connections } = ctx.state.models
  const key = `${model.id} ${model.revision}`
  let connection = connections.get(key)
  if (!connection) {
    connection = languageModel(addressOfModel(ctx, workspace, model), ctx.providers, { embedding: ctx.embedding })
    connections.set(key, connection)
  }
  return connection
}

/**
 * A model as it was pinned, with its current key. If it has moved, the key of that time stays, because a key must not reach
 * another address.
 */
export async function pinnedModel(ctx: Context, who: Pick<Caller, 'workspace'>, pinned: ModelRow): Promise<ModelRow> {
  const now = await models.find(ctx.db, who, pinned.id)
  if (!now || effectiveEndpoint(now) !== effectiveEndpoint(pinned)) return pinned
  // Connections are cached by revision, so this mix of two revisions gets a number of its own.
  const revision = pinned.revision + now.revision / 1e9
  return now.revision === pinned.revision ? pinned : { ...pinned, api_key_sealed: now.api_key_sealed, revision }
}

export const connectEmbeddings = (
  ctx: Context,
  workspace: string,
  model: ModelRow,
  retry: RetryOptions = {},
): EmbeddingModel =>
  embeddingModel(addressOfModel(ctx, workspace, model), ctx.providers, {
    embedding: ctx.embedding,
    retry: { ...retry, random: ctx.random },
  })

export const connectReranker = (ctx: Context, workspace: string, model: ModelRow): Reranker =>
  reranker(addressOfModel(ctx, workspace, model), ctx.providers, { retry: { random: ctx.random } })

/** The default model of a type. */
export async function defaultModel(db: Db, who: Pick<Caller, 'workspace'>, type: Model['type']): Promise<ModelRow> {
  const row = await db
    .selectFrom('model')
    .select('id')
    .where('workspace_id', '=', who.workspace)
    .where('type', '=', type)
    .where('is_default', '=', true)
    .executeTakeFirst()
  const model = row && (await models.find(db, who, row.id))
  return model ?? unknownReference('model_id', 'default model', type)
}

/** Adds the local models to a new workspace. */
export async function addLocalModels(ctx: Context, tx: Db, workspace: string): Promise<void> {
  const who: Caller = { workspace, role: 'owner', token: 'built-in', userId: null, groups: [], rateLimit: null }
  for (const local of localModels) {
    await models.create(ctx, who, { ...local, endpoint: null, pricing: null, options: {}, api_key: null }, tx)
  }
}

/** Whether a model takes images. */
export const seesImages = ({ input_modalities }: { input_modalities: readonly InputModality[] }): boolean =>
  input_modalities.includes('image')
