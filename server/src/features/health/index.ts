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

/** The time a trivial question takes the database, or null when it does not answer. */
export async function databaseLatency({ db }: Context): Promise<number | null> {
  const started = performance.now()
  try {
    await sql`select 1`.execute(db)
    return Math.round((performance.now() - started) * 100) / 100
  } catch {
    return null
  }
}

const searchPatience = 5 * second

/** The same for the search. */
export async function searchLatency({ search }: Context): Promise<number | null> {
  const started = performance.now()
  const late = new AbortController()
  try {
    const answer = search.describe({ workspace: '', key: '' }).then(() => true)
    const isUp = await Promise.race([answer, delay(searchPatience, false, { signal: late.signal, ref: false })])
    return isUp ? Math.round((performance.now() - started) * 100) / 100 : null
  } catch {
    return null
  } finally {
    late.abort()
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
          summary: 'Whether the service can do its work',
          response: { 200: Health, 503: { ...Health, description: 'The service cannot do its work.' } },
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
