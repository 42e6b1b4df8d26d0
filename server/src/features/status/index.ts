import { Type } from 'typebox'
import type { Caller, Context } from '../../kernel/context.ts'
import type { Feature } from '../../kernel/feature.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { Choice, Nullable } from '../../kernel/schema.ts'
import { within } from '../../kernel/within.ts'
import { agents } from '../agents/service.ts'
import { apiTools } from '../api-tools/service.ts'
import { conversations } from '../conversations/service.ts'
import { evaluations } from '../evaluations/service.ts'
import { databaseLatency, measureLatency, responseTimeout, searchLatency } from '../health/latency.ts'
import { knowledgeSources } from '../knowledge-sources/service.ts'
import { ragTools, retrievalTools } from '../knowledge-tools/service.ts'
import { models } from '../models/service.ts'
import { promptTemplates } from '../prompt-templates/service.ts'

const Component = Type.Object(
  {
    status: Choice(['operational', 'degraded']),
    latency_ms: Nullable(
      Type.Number({ description: 'The latency of a small request to it. Null if it does not respond.' }),
    ),
    engine: Type.String(),
  },
  { title: 'Component', examples: [{ latency_ms: 0.4 }] },
)
const JobCount = Nullable(Type.Integer())
const Status = Type.Object(
  {
    status: Choice(['operational', 'degraded']),
    version: Type.String(),
    uptime_seconds: Type.Integer(),
    components: Type.Object({
      database: Component,
      vector_db: Component,
      jobs: Component,
      files: Component,
    }),
    jobs: Type.Object(
      { queued: JobCount, due: JobCount, running: JobCount, failed: JobCount },
      {
        description:
          '`due` are the queued ones that wait only for a worker: scale workers by it. Null while the database is down.',
      },
    ),
    counts: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'The number of resources in the workspace, by type. Empty while the database is down.',
    }),
    node: Type.String({ description: 'The process that responded.' }),
  },
  {
    title: 'Status',
    examples: [
      { uptime_seconds: 86400, jobs: { queued: 2, due: 0, running: 1, failed: 0 }, counts: { agents: 3, models: 2 } },
    ],
  },
)

const countable = {
  agents,
  api_tools: apiTools,
  conversations,
  evaluations,
  knowledge_sources: knowledgeSources,
  models,
  prompt_templates: promptTemplates,
  rag_tools: ragTools,
  retrieval_tools: retrievalTools,
}

/** Empty while the database is down. */
async function countAll(ctx: Context, who: Caller): Promise<Record<string, number>> {
  const counted = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(countable).map(async ([name, each]) => [name, await each.count(ctx, who)])),
    ) as Record<string, number>
  return within(responseTimeout, counted()).catch(() => ({}))
}

const unknownJobs = { queued: null, due: null, running: null, failed: null }

async function read(ctx: Context, who: Caller) {
  let jobs: { [Name in keyof typeof unknownJobs]: number | null } = unknownJobs
  const countJobs = async () => {
    jobs = await ctx.jobs.counts()
  }
  const component = (engine: string, latency_ms: number | null) => ({
    status: latency_ms === null ? ('degraded' as const) : ('operational' as const),
    latency_ms,
    engine,
  })
  const [database, search, queue, files, counts] = await Promise.all([
    databaseLatency(ctx),
    searchLatency(ctx),
    measureLatency(countJobs),
    measureLatency(() => ctx.files.ping()),
    countAll(ctx, who),
  ])
  const components = {
    database: component(ctx.engine, database),
    vector_db: component(ctx.search.engine, search),
    jobs: component(ctx.engine, queue),
    files: component(ctx.files.engine, files),
  }
  const isUp = Object.values(components).every(({ status }) => status === 'operational')
  return {
    status: isUp ? ('operational' as const) : ('degraded' as const),
    version: ctx.version,
    uptime_seconds: Math.floor((ctx.now() - ctx.startedAt) / 1000),
    components,
    jobs,
    counts,
    node: ctx.node,
  }
}

const tags = ['Health and status']

export const status: Feature = {
  name: 'status',
  onWorkers: true,
  routes(app, ctx) {
    app.get(
      '/status',
      {
        config: { may: 'see-status', duringOutage: true },
        schema: { tags, summary: 'Get the status of the service', response: { 200: Ok(Status) } },
      },
      async (request) => ok(await read(ctx, request.caller)),
    )

    app.get(
      '/metrics',
      {
        config: { may: 'read-metrics', duringOutage: true },
        schema: {
          tags,
          summary: 'Get metrics for Prometheus',
          description:
            'They are about the whole process and all its workspaces. An owner reads them, or a token with the scope `metrics`. They are also at `/metrics`, where Prometheus looks for them, and while the database is down.',
          content: { 'text/plain': { schema: Type.String(), example: 'parley_jobs{status="queued"} 0\n' } },
        },
      },
      async (_request, reply) => reply.type(ctx.metrics.contentType).send(await ctx.metrics.text()),
    )
  },
}
