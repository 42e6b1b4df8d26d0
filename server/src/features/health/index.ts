import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Feature } from '../../kernel/feature.ts'
import { Choice } from '../../kernel/schema.ts'

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
        const up = (await databaseLatency(ctx)) !== null
        // The vectors live in the same database, so they are there exactly when it is.
        const connection = up ? ('connected' as const) : ('disconnected' as const)
        reply.status(up ? 200 : 503)
        return {
          status: up ? ('healthy' as const) : ('unhealthy' as const),
          version: ctx.version,
          database: connection,
          vector_db: connection,
        }
      },
    )
  },
}
