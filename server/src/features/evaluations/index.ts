import type { Feature } from '../../kernel/feature.ts'
import { mebibyte } from '../../kernel/http/app.ts'
import { ById, created, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { contentEtag } from '../../kernel/http/etag.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { listParameters, type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { addFromMessage } from './from-message.ts'
import { readCases } from './importing.ts'
import { defineJobs, drain } from './jobs.ts'
import { evaluationMigration } from './migrations.ts'
import { resultRoutes } from './result-routes.ts'
import { cancelRun, getRun, listRuns, startRun } from './runs.ts'
import {
  AddedCase,
  ByRun,
  Evaluation,
  EvaluationListItem,
  FromMessageBody,
  ImportBody,
  Imported,
  ImportQuery,
  Run,
} from './schema.ts'
import { Matcher } from './scorers/matcher.ts'
import * as service from './service.ts'
import { presentRun } from './store.ts'
import { takeTextFiles } from './text-bodies.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    /** The jobs that run in this process, and whether they may start further cases. */
    evaluations: { running: Set<Promise<void>>; draining: boolean; matcher: Matcher }
  }
}

const tags = ['Evaluations']
const bodyLimit = 16 * mebibyte
const read = { may: 'read-configuration' } as const
const write = { may: 'write-configuration' } as const

export const evaluations: Feature = {
  name: 'evaluations',
  migrations: [evaluationMigration],
  resources: [service.evaluations],
  state: () => ({ running: new Set(), draining: false, matcher: new Matcher() }),
  jobs: defineJobs,
  async close(ctx, patience) {
    await drain(ctx, patience)
    await ctx.state.evaluations.matcher.close()
  },

  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/evaluations',
      title: 'Evaluation',
      tag: 'Evaluations',
      shape: Evaluation,
      listShape: EvaluationListItem,
      service: service.evaluations,
      computed: ['test_cases'],
      read: read.may,
      write: write.may,
      createErrors: ['unknown_reference'],
      bodyLimit,
      example: {
        name: 'Support answers',
        type: 'agent',
        target_id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc',
        test_cases: [{ input: 'How long does delivery take?', expected_output: 'Three to five working days.' }],
        scorers: [{ type: 'similarity' }, { type: 'latency', config: { max_ms: 5000 } }],
      },
      change: { concurrency: 8 },
    })

    app.post(
      '/evaluations/:id/run',
      {
        config: write,
        schema: {
          tags,
          summary: 'Start a run of an evaluation',
          description:
            'The run keeps the cases, the scorers and the version of the target as they are now, goes on after a crash where it stood, and bills no case twice.',
          params: ById,
          response: { 200: Ok(Run) },
          errors: ['already_running', 'unknown_reference'],
        },
      },
      async (request) => ok(presentRun(await startRun(ctx, request.caller, request.params.id))),
    )

    app.get(
      '/evaluations/:id/runs',
      {
        config: read,
        schema: {
          tags,
          summary: 'List the runs of an evaluation',
          params: ById,
          querystring: listParameters(Run),
          response: { 200: Listed(Run) },
        },
      },
      async (request) => {
        const query = toListQuery(request.query as RawListQuery)
        const { rows, total } = await listRuns(ctx, request.caller, request.params.id, query)
        return listed({ rows: rows.map(presentRun), total }, query)
      },
    )

    app.get(
      '/evaluations/:id/runs/:run',
      {
        config: read,
        schema: { tags, summary: 'Get a run of an evaluation', params: ByRun, response: { 200: Ok(Run) } },
        onSend: contentEtag,
      },
      async (request) => ok(presentRun(await getRun(ctx, request.caller, request.params.id, request.params.run))),
    )

    app.post(
      '/evaluations/:id/runs/:run/cancel',
      {
        config: write,
        schema: {
          tags,
          summary: 'Stop a run',
          description: 'What is done stays. A run that has ended stays as it is.',
          params: ByRun,
          response: { 200: Ok(Run) },
        },
      },
      async (request) => ok(presentRun(await cancelRun(ctx, request.caller, request.params.id, request.params.run))),
    )

    resultRoutes(app, ctx)

    app.register(async (scope) => {
      takeTextFiles(scope, { 'text/csv': 'csv', 'application/x-ndjson': 'jsonl', 'application/jsonl': 'jsonl' })
      scope.post(
        '/evaluations/:id/test-cases/import',
        {
          config: write,
          bodyLimit,
          schema: {
            tags,
            summary: 'Add test cases from CSV or JSON Lines',
            description:
              'CSV has a first row that names the columns: `input`, and as wanted `expected_output` and `metadata` (a JSON object); any other column becomes metadata. The file can also be the body itself, as `text/csv` or `application/x-ndjson`.',
            params: ById,
            querystring: ImportQuery,
            body: ImportBody,
            response: { 200: Ok(Imported) },
          },
        },
        async (request) => {
          const { id } = request.params as { id: string }
          const { format, content } = request.body as { format: 'csv' | 'jsonl'; content: string }
          const { mode } = request.query as { mode: 'append' | 'replace' }
          await service.findEvaluation(ctx, request.caller, id)
          const cases = await readCases(format, content)
          const { test_case_count } = await service.addCases(ctx, request.caller, id, cases, mode)
          return ok({ imported: cases.length, test_case_count })
        },
      )
    })

    app.post(
      '/evaluations/:id/test-cases/from-message',
      {
        config: write,
        schema: {
          tags,
          summary: 'Make a test case of a message of a conversation',
          params: ById,
          body: FromMessageBody,
          response: { 201: Ok(AddedCase) },
        },
      },
      async (request, reply) =>
        created(reply, await addFromMessage(ctx, request.caller, request.params.id, request.body)),
    )
  },
}
