import type { Feature } from '../../kernel/feature.ts'
import { Listed, listed } from '../../kernel/http/envelope.ts'
import { removeOld } from '../../kernel/retention.ts'
import { type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { day } from '../../kernel/time.ts'
import { AuditEntry, AuditQuery } from './schema.ts'
import { list, removeEntries } from './service.ts'

/** Who changed what; and the end of what is kept for a time only. */
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
        if (Object.keys(removed).length > 0) ctx.log.info({ removed }, 'removed what is older than RETENTION_DAYS')
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
          summary: 'Who changed what, and when',
          description:
            'Every change by a request, in the transaction that made it. Messages are not changes; completing and deleting conversations is.',
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
