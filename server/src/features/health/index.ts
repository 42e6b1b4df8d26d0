import { Type } from 'typebox'
import type { Feature } from '../../kernel/feature.ts'
import { Choice } from '../../kernel/schema.ts'
import { databaseLatency, searchLatency } from './latency.ts'

export * from './latency.ts'

const Connection = Choice(['connected', 'disconnected'])
const Health = Type.Object(
  {
    status: Choice(['healthy', 'unhealthy']),
    version: Type.String({ examples: ['1.0.0'] }),
    database: Connection,
    vector_db: Connection,
  },
  { title: 'Health' },
)

const Live = Type.Object(
  { status: Choice(['healthy']), version: Type.String({ examples: ['1.0.0'] }) },
  { title: 'Live' },
)

export const health: Feature = {
  name: 'health',
  onWorkers: true,
  routes(app, ctx) {
    app.get(
      '/health/live',
      {
        config: { may: 'public', unlimited: true },
        schema: {
          tags: ['Health and status'],
          summary: 'Check that the process responds',
          description:
            'For supervisors that restart a process that hangs. It stays 200 while the database is down, because a restart would not help.',
          response: { 200: Live },
        },
      },
      async () => ({ status: 'healthy' as const, version: ctx.version }),
    )

    app.get(
      '/health',
      {
        config: { may: 'public', unlimited: true },
        schema: {
          tags: ['Health and status'],
          summary: 'Check the health of the service',
          description: 'For load balancers and monitoring. It needs no token and is not limited.',
          response: { 200: Health, 503: { ...Health, description: 'A component does not respond.' } },
        },
      },
      async (_request, reply) => {
        const [database, search] = await Promise.all([databaseLatency(ctx), searchLatency(ctx)])
        const connection = (latency: number | null) =>
          latency === null ? ('disconnected' as const) : ('connected' as const)
        // Only knowledge needs the search index, so this node stays ready without it.
        const up = database !== null && (search !== null || ctx.search.problem !== null)
        reply.status(up ? 200 : 503)
        return {
          status: up ? ('healthy' as const) : ('unhealthy' as const),
          version: ctx.version,
          database: connection(database),
          vector_db: connection(search),
        }
      },
    )
  },
}
