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

/** Milliseconds of a trivial query, or null if the database does not respond. */
export async function databaseLatency({ db }: Context): Promise<number | null> {
  const started = performance.now()
  try {
    await sql`select 1`.execute(db)
    return Math.round((performance.now() - started) * 100) / 100
  } catch {
    return null
  }
}

const searchTimeout = 5 * second

/** Milliseconds of a trivial search request, or null if the search does not respond. */
export async function searchLatency({ search }: Context): Promise<number | null> {
  const started = performance.now()
  const timeout = new AbortController()
  try {
    const response = search.describe({ workspace: '', key: '' }).then(() => true)
    const isUp = await Promise.race([response, delay(searchTimeout, false, { signal: timeout.signal, ref: false })])
    return isUp ? Math.round((performance.now() - started) * 100) / 100 : null
  } catch {
    return null
  } finally {
    timeout.abort()
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
