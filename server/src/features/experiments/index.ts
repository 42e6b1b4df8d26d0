import type { Feature } from '../../kernel/feature.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { experimentMigration, experimentVersionsMigration } from './migrations.ts'
import { results } from './results.ts'
import { Experiment, PromoteBody, Results } from './schema.ts'
import * as service from './service.ts'

const tag = 'Experiments'
const tags = [tag]
const write = { may: 'write-configuration' } as const

/** Compares versions of an agent on real conversations. */
export const experiments: Feature = {
  name: 'experiments',
  migrations: [experimentMigration, experimentVersionsMigration],
  resources: [service.experiments],
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/experiments',
      title: 'Experiment',
      tag,
      shape: Experiment,
      service: service.experiments,
      read: 'read-configuration',
      write: write.may,
      createErrors: ['unknown_reference'],
      example: {
        name: 'Shorter answers',
        agent_id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc',
        variants: [
          { label: 'production', weight: 9 },
          { label: 'canary', weight: 1 },
        ],
        metric: 'feedback',
      },
    })

    for (const [action, run, summary, description] of [
      [
        'start',
        service.start,
        'Start an experiment',
        'New conversations of the agent that name no label get a variant, chosen by a hash of the experiment and the `user_id`, or of the conversation if it has none. One experiment of an agent runs at a time.',
      ],
      ['stop', service.stop, 'Stop an experiment', 'Conversations that have started keep their version.'],
    ] as const)
      app.post(
        `/experiments/:id/${action}`,
        {
          config: write,
          schema: {
            tags,
            summary,
            description,
            params: ById,
            response: { 200: Ok(Experiment) },
            errors: action === 'start' ? ['already_running', 'unknown_reference'] : [],
          },
        },
        async (request) => ok(await run(ctx, request.caller, request.params.id)),
      )

    app.post(
      '/experiments/:id/promote',
      {
        config: write,
        schema: {
          tags,
          summary: 'Promote a variant',
          description:
            'Labels its version `production`, if the gate of that label allows it, and stops the experiment, so that everybody gets it.',
          params: ById,
          body: PromoteBody,
          response: { 200: Ok(Experiment) },
          errors: ['unknown_reference', 'gate_failed'],
        },
      },
      async (request) => {
        const { variant } = request.body
        return ok(await service.promote(ctx, request.caller, request.params.id, String(variant)))
      },
    )

    app.get(
      '/experiments/:id/results',
      {
        config: { may: 'read-configuration' },
        schema: {
          tags,
          summary: 'Get the results of an experiment',
          description:
            'Others are compared with the first variant. Intervals and p-values come from a sequential test: however often one looks, the chance of a false alarm stays below 5 %.',
          params: ById,
          response: { 200: Ok(Results) },
        },
      },
      async (request) => ok(await results(ctx, request.caller, request.params.id)),
    )
  },
}
