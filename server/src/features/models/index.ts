import { LRUCache } from 'lru-cache'
import type { Feature } from '../../kernel/feature.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import type { LanguageModel } from '../../kernel/llm/model.ts'
import { availableModels } from './available.ts'
import { modelMigration, testMigration } from './migrations.ts'
import { AvailableModels, AvailableQuery, CheckBody, Model, TestResult } from './schema.ts'
import * as service from './service.ts'
import { checkModel, testModel } from './test-model.ts'

export * from './calls.ts'
export * from './service.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    model: service.ModelRow & { workspace_id: string }
  }
}

declare module '../../kernel/context.ts' {
  interface FeatureState {
    models: { connections: LRUCache<string, LanguageModel> }
  }
}

export const models: Feature = {
  name: 'models',
  migrations: [modelMigration, testMigration],
  sealed: [service.sealedKeys],
  resources: [service.models],
  state: () => ({ connections: new LRUCache({ max: 1000 }) }),
  workspaceCreated: service.addLocalModels,
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/models',
      title: 'Model',
      tag: 'Models',
      shape: Model,
      computed: service.computed,
      service: service.models,
      present: service.present,
      read: 'read-configuration',
      write: 'administer',
      createErrors: ['egress_blocked'],
      example: {
        name: 'Mistral Small',
        provider: 'mistral',
        model_id: 'mistral-small-latest',
        api_key: 'sk-your-key',
        pricing: { input: 0.0001, output: 0.0003 },
        context_window: 128_000,
      },
      change: { pricing: { input: 0.0002, output: 0.0008 } },
    })

    app.post(
      '/models/available',
      {
        config: { may: 'administer' },
        schema: {
          tags: ['Models'],
          summary: 'List the models of a provider',
          description:
            'Asks the provider which models the key can use. Nothing is stored. Prices and context windows are those that the provider reports, or else those known for well-known models: check them before you rely on them.',
          body: AvailableQuery,
          response: { 200: Ok(AvailableModels) },
          errors: ['egress_blocked'],
        },
      },
      async (request) => ok(await availableModels(ctx, request.caller, request.body)),
    )

    app.post(
      '/models/check',
      {
        config: { may: 'administer' },
        schema: {
          tags: ['Models'],
          summary: 'Test a model before it is stored',
          description:
            'Sends the provider the smallest possible request. Nothing is stored or counted. If it fails, `error` says why.',
          body: CheckBody,
          response: { 200: Ok(TestResult) },
          errors: ['egress_blocked'],
        },
      },
      async (request) => ok(await checkModel(ctx, request.caller, request.body)),
    )

    app.post(
      '/models/:id/test',
      {
        config: { may: 'write-configuration' },
        schema: {
          tags: ['Models'],
          summary: 'Test a model',
          description:
            'Sends the provider the smallest possible request, which is billed like any other. If it fails, `error` says why.',
          params: ById,
          response: { 200: Ok(TestResult) },
          errors: ['budget_exceeded', 'price_unknown'],
        },
      },
      async (request) => ok(await testModel(ctx, request.caller, request.params.id)),
    )
  },
}
