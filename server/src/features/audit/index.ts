import { invalid } from '../../kernel/errors.ts'
import type { Feature } from '../../kernel/feature.ts'
import { Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { removeOld } from '../../kernel/retention.ts'
import { type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { day, minute } from '../../kernel/time.ts'
import { actorOfEntries, entriesOfPerson } from './erase.ts'
import { auditMigration, sealedAuditKey, startedChainsMigration } from './migrations.ts'
import { AuditEntry, AuditQuery, Verification, VerifyQuery } from './schema.ts'
import { list, removeEntries } from './service.ts'
import { verify } from './verify.ts'

export * from './key.ts'
export { openAuditLog } from './log.ts'

/** The audit log, and the jobs that seal it and delete data after RETENTION_DAYS. */
export const audit: Feature = {
  name: 'audit',
  migrations: [auditMigration, startedChainsMigration],
  sealed: [sealedAuditKey],
  workspaceCreated: (ctx, tx, workspace) => ctx.audit.chain.start(tx, workspace),
  personalData: [entriesOfPerson, actorOfEntries],
  retention: [{ what: 'audit entries', remove: removeEntries }],
  jobs(ctx) {
    const { retentionDays } = ctx.config
    // Seals entries that were left unsealed because their process ended or their transaction took long.
    ctx.jobs.define({ queue: 'audit.seal', every: minute, run: () => ctx.audit.chain.sealAll() })
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
      '/audit/verify',
      {
        config: { may: 'administer' },
        schema: {
          tags: ['Audit'],
          summary: 'Verify the audit log',
          description:
            'Checks every entry of the workspace against the chain of hashes, whose key derives from SECRET_KEY. To find out later whether even the whole database was rewritten, note `head` outside of it and send it as `sequence` and `hash`.',
          querystring: VerifyQuery,
          response: { 200: Ok(Verification) },
        },
      },
      async (request) => {
        const { sequence, hash } = request.query
        if ((sequence === undefined) !== (hash === undefined))
          invalid(sequence === undefined ? 'sequence' : 'hash', 'is missing; send both or neither')
        const noted = sequence === undefined || hash === undefined ? null : { sequence, hash }
        return ok(await verify(ctx, request.caller, noted))
      },
    )

    app.get(
      '/audit',
      {
        config: { may: 'administer' },
        schema: {
          tags: ['Audit'],
          summary: 'List audit entries',
          description:
            'Every change by a request, also messages, feedback and cancels, stored in the transaction that made it. Entries have no values. They are chained by hash: `GET /audit/verify` finds what was changed, removed or inserted in the database.',
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
