import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { type App, mebibyte } from '../../kernel/http/app.ts'
import { ById, created, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { jsonLines } from '../../kernel/http/media-types.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { listParameters, type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { addFromMessage } from './cases/from-message.ts'
import { readCases } from './cases/read-file.ts'
import { AddedCase, csvExample, FromMessageBody, ImportBody, Imported, ImportQuery } from './cases/schema.ts'
import { resultRoutes } from './results/routes.ts'
import { cancelRun, getRun, listRuns, startRun } from './runs/service.ts'
import { computedFields, presentRun } from './runs/store.ts'
import { ByRun, Evaluation, EvaluationListItem, Run, RunQuery, TestCase } from './schema.ts'
import * as service from './service.ts'

const tags = ['Evaluations']
const bodyLimit = 16 * mebibyte
const read = { may: 'read-configuration' } as const
const write = { may: 'write-configuration' } as const

export function routes(app: App, ctx: Context): void {
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
          'The run uses the cases and the scorers as they are now, and the newest version of the target unless `target_version` names another. It resumes after a crash and bills no case twice.',
        params: ById,
        querystring: RunQuery,
        response: { 200: Ok(Run) },
        errors: ['already_running', 'unknown_reference'],
      },
    },
    async (request) => {
      const { target_version } = request.query
      return ok(presentRun(await startRun(ctx, request.caller, request.params.id, ctx.db, target_version)))
    },
  )

  app.get(
    '/evaluations/:id/runs',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the runs of an evaluation',
        params: ById,
        querystring: listParameters(Run, computedFields),
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
    },
    async (request) => ok(presentRun(await getRun(ctx, request.caller, request.params.id, request.params.run))),
  )

  app.post(
    '/evaluations/:id/runs/:run/cancel',
    {
      config: write,
      schema: {
        tags,
        summary: 'Cancel a run',
        description: 'Finished cases are kept. A run that has ended is not changed.',
        params: ByRun,
        response: { 200: Ok(Run) },
      },
    },
    async (request) => ok(presentRun(await cancelRun(ctx, request.caller, request.params.id, request.params.run))),
  )

  resultRoutes(app, ctx)

  app.register(async (scope) => {
    acceptTextFiles(scope, { 'text/csv': 'csv', 'application/x-ndjson': 'jsonl', 'application/jsonl': 'jsonl' })
    scope.post(
      '/evaluations/:id/test-cases/import',
      {
        config: write,
        bodyLimit,
        schema: {
          tags,
          summary: 'Import test cases from CSV or JSON Lines',
          description:
            'The first row of CSV names the columns: `input`, and optionally `expected_output` and `metadata` (a JSON object). Other columns become metadata. The body can also be the file itself, as `text/csv` or `application/x-ndjson`.',
          params: ById,
          querystring: ImportQuery,
          body: ImportBody,
          accepts: {
            'text/csv': { schema: Type.String(), example: csvExample },
            ...jsonLines(TestCase),
          },
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
        summary: 'Create a test case from a message',
        params: ById,
        body: FromMessageBody,
        response: { 201: Ok(AddedCase) },
      },
    },
    async (request, reply) =>
      created(reply, await addFromMessage(ctx, request.caller, request.params.id, request.body)),
  )
}

/** Accepts a file as the request body. Handlers see it as `{format, content}`. */
function acceptTextFiles(scope: Pick<FastifyInstance, 'addContentTypeParser'>, formats: Record<string, string>): void {
  for (const [type, format] of Object.entries(formats)) {
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, raw: Buffer) => {
      if ('idempotency-key' in request.headers) request.rawBody = raw
      return { format, content: raw.toString('utf8') }
    })
  }
}
