import type { Feature } from '../../kernel/feature.ts'
import { ById, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { listParameters, type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { second } from '../../kernel/time.ts'
import { findSampled, scoreQueue } from './find.ts'
import { monitorMigration, scoreLabelMigration } from './migrations.ts'
import { Agreement, Monitor, MonitorScore, MonitorSummary, SummaryQuery } from './schema.ts'
import { scoreReply } from './score.ts'
import { monitorScores } from './score-source.ts'
import { monitors as service } from './service.ts'
import { agreement, listScores, summarize } from './summary.ts'

const tag = 'Monitors'
const tags = [tag]
const config = { may: 'read-configuration' } as const

/** Scores a sample of the replies to people, in the background. */
export const monitors: Feature = {
  name: 'monitors',
  migrations: [monitorMigration, scoreLabelMigration],
  resources: [service],
  scoreSources: [monitorScores],
  personalData: [{ table: 'monitor', person: 'created_by', identity: true, erased: {} }],
  jobs(ctx) {
    ctx.jobs.define({ queue: 'monitors.find', every: 10 * second, run: ({ signal }) => findSampled(ctx, signal) })
    ctx.jobs.define({ queue: scoreQueue, concurrency: 8, perWorkspace: 4, run: (job) => scoreReply(ctx, job) })
  },

  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/monitors',
      title: 'Monitor',
      tag,
      shape: Monitor,
      service,
      computed: ['spent_today', 'warnings'],
      read: config.may,
      write: 'write-configuration',
      createErrors: ['unknown_reference'],
      example: {
        name: 'Helpful answers',
        agent_id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc',
        scorers: [{ type: 'llm_judge', config: { rubric: 'Answers the question, politely and without guessing.' } }],
        sample_rate: 0.1,
        alert: { below: 0.7, window: 50 },
      },
      change: { sample_rate: 0.2 },
    })

    app.get(
      '/monitors/:id/scores',
      {
        config,
        schema: {
          tags,
          summary: 'List the scores of a monitor',
          params: ById,
          querystring: listParameters(MonitorScore, ['reason']),
          response: { 200: Listed(MonitorScore) },
        },
      },
      async (request) => {
        const query = toListQuery(request.query as RawListQuery)
        return listed(await listScores(ctx, request.caller, request.params.id, query), query) as never
      },
    )

    app.get(
      '/monitors/:id/summary',
      {
        config,
        schema: {
          tags,
          summary: 'Summarize the scores of a monitor',
          description: 'Over the period, by version of the agent, by the label that chose the version, and over time.',
          params: ById,
          querystring: SummaryQuery,
          response: { 200: Ok(MonitorSummary) },
        },
      },
      async (request) => ok(await summarize(ctx, request.caller, request.params.id, request.query)),
    )

    app.get(
      '/monitors/:id/agreement',
      {
        config,
        schema: {
          tags,
          summary: 'Compare the verdicts of the judge and of people',
          description: 'Over the replies that both have judged. It tells whether to trust the judge.',
          params: ById,
          response: { 200: Ok(Agreement) },
        },
      },
      async (request) => ok(await agreement(ctx, request.caller, request.params.id)),
    )
  },
}
