import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Feature } from '../../kernel/feature.ts'
import { Choice } from '../../kernel/schema.ts'
import { second } from '../../kernel/time.ts'

const Connection = Choice(['connected', 'disconnected'])
const Health = Type.Object(
  {
    status: Choice(['healthy', 'unhealthy']),
    version: Type.String({ examples: ['0.1.0'] }),
    database: Connection,
    vector_db: Connection,
  },
  { title: 'Health' },
)

const timeout = 5 * second

/** Milliseconds of a trivial query, or null if the database does not respond. */
export const databaseLatency = ({ db }: Context): Promise<number | null> => latencyOf(() => sql`select 1`.execute(db))

/** Milliseconds of a trivial search request, or null if the search does not respond. */
export const searchLatency = ({ search }: Context): Promise<number | null> =>
  latencyOf(() => search.describe({ workspace: '', key: '' }))

async function latencyOf(request: () => Promise<unknown>): Promise<number | null> {
  const started = performance.now()
  const responded = new AbortController()
  try {
    const response = request().then(() => true)
    const isUp = await Promise.race([response, delay(timeout, false, { signal: responded.signal, ref: false })])
    return isUp ? Math.round((performance.now() - started) * 100) / 100 : null
  } catch {
    return null
  } finally {
    responded.abort()
  }
}

export const health: Feature = {
  name: 'health',
  routes(app, ctx) {
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
        const up = database !== null && search !== null
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
