import type { Feature } from '../../kernel/feature.ts'
import { Listed, listed } from '../../kernel/http/envelope.ts'
import { removeOld } from '../../kernel/retention.ts'
import { type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { day } from '../../kernel/time.ts'
import { AuditEntry, AuditQuery } from './schema.ts'
import { list, removeEntries } from './service.ts'

/** The audit log, and the job that deletes data after RETENTION_DAYS. */
export const audit: Feature = {
  name: 'audit',
  retention: [{ what: 'audit entries', remove: removeEntries }],
  jobs(ctx) {
    const { retentionDays } = ctx.config
    ctx.jobs.define({
      queue: 'retention',
      every: day,
      async run({ signal }) {
        if (retentionDays === null) return
        const removed = await removeOld(ctx, ctx.now() - retentionDays * day, signal)
        if (Object.keys(removed).length > 0) ctx.log.info({ removed }, 'deleted data older than RETENTION_DAYS')
      },
    })
  },
  routes(app, ctx) {
    app.get(
      '/audit',
      {
        config: { may: 'administer' },
        schema: {
          tags: ['Audit'],
          summary: 'List audit entries',
          description:
            'Every change by a request, stored in the transaction that made it. Messages are not audited; completing and deleting conversations is.',
          querystring: AuditQuery,
          response: { 200: Listed(AuditEntry) },
        },
      },
      async (request) => {
        const query = toListQuery(request.query as RawListQuery)
        return listed(await list(ctx, request.caller, query), query)
      },
    )
  },
}
