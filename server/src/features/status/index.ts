import { Type } from 'typebox'
import type { Caller, Context } from '../../kernel/context.ts'
import type { Feature } from '../../kernel/feature.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { Choice, Nullable } from '../../kernel/schema.ts'
import { agents } from '../agents/service.ts'
import { apiTools } from '../api-tools/service.ts'
import { conversations } from '../conversations/service.ts'
import { evaluations } from '../evaluations/service.ts'
import { databaseLatency, searchLatency } from '../health/index.ts'
import { models } from '../models/service.ts'
import { promptTemplates } from '../prompt-templates/service.ts'
import { ragTools } from '../rag-tools/service.ts'
import { retrievalTools } from '../retrieval-tools/service.ts'

const Component = Type.Object(
  { status: Choice(['operational', 'degraded']), latency_ms: Nullable(Type.Number()), engine: Type.String() },
  { title: 'Component', examples: [{ latency_ms: 0.4 }] },
)
const Status = Type.Object(
  {
    status: Choice(['operational', 'degraded']),
    version: Type.String(),
    uptime_seconds: Type.Integer(),
    components: Type.Object({ database: Component, vector_db: Component, jobs: Component }),
    jobs: Type.Object({ queued: Type.Integer(), running: Type.Integer(), failed: Type.Integer() }),
    counts: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'The number of resources in the workspace, by type.',
    }),
    node: Type.String({ description: 'The process that responded.' }),
  },
  {
    title: 'Status',
    examples: [{ uptime_seconds: 86400, jobs: { queued: 0, running: 1, failed: 0 }, counts: { agents: 3, models: 2 } }],
  },
)

async function read(ctx: Context, who: Caller) {
  const [database, search] = await Promise.all([databaseLatency(ctx), searchLatency(ctx)])
  const statusOf = (latency: number | null) => (latency === null ? ('degraded' as const) : ('operational' as const))
  const component = (engine: string, latency = database) => ({ status: statusOf(latency), latency_ms: latency, engine })
  return {
    status: statusOf(search === null ? null : database),
    version: ctx.version,
    uptime_seconds: Math.floor((ctx.now() - ctx.startedAt) / 1000),
    components: {
      database: component(ctx.engine),
      vector_db: component('embedded', search),
      jobs: component(ctx.engine === 'postgres' ? 'pg-boss' : 'sqlite'),
    },
    jobs: await ctx.jobs.counts(),
    counts: {
      agents: await agents.count(ctx, who),
      api_tools: await apiTools.count(ctx, who),
      conversations: await conversations.count(ctx, who),
      evaluations: await evaluations.count(ctx, who),
      models: await models.count(ctx, who),
      prompt_templates: await promptTemplates.count(ctx, who),
      rag_tools: await ragTools.count(ctx, who),
      retrieval_tools: await retrievalTools.count(ctx, who),
    },
    node: ctx.node,
  }
}

const tags = ['Health and status']

export const status: Feature = {
  name: 'status',
  routes(app, ctx) {
    app.get(
      '/status',
      {
        config: { may: 'see-status' },
        schema: { tags, summary: 'Get the status of the service', response: { 200: Ok(Status) } },
      },
      async (request) => ok(await read(ctx, request.caller)),
    )

    app.get(
      '/metrics',
      {
        config: { may: 'read-configuration' },
        schema: {
          tags,
          summary: 'Get metrics for Prometheus',
          content: { 'text/plain': { schema: Type.String(), example: 'parley_jobs{status="queued"} 0\n' } },
        },
      },
      async (_request, reply) => reply.type(ctx.metrics.contentType).send(await ctx.metrics.text()),
    )
  },
}
