import { sql } from 'kysely'
import type { PersonalFunctions } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { hasText } from '../../kernel/store/text-index.ts'
import { timestamp } from '../../kernel/time.ts'

const batchSize = 200

/** Stored payloads that name the person somewhere in their JSON. An erasure also cancels pending deliveries of them. */
export const deliveriesOfPerson: PersonalFunctions = {
  async erase(ctx, { workspace, userId, count }) {
    const inJson = JSON.stringify(userId).slice(1, -1)
    let isFound = false
    for (let last = ''; ; ) {
      const rows = await ctx.longReads
        .selectFrom('webhook_delivery')
        .select(['id', 'request_body'])
        .where('workspace_id', '=', workspace)
        .where('id', '>', last)
        .where(hasText(sql.ref('request_body'), inJson))
        .orderBy('id')
        .limit(batchSize)
        .execute()
      const named = rows.filter(({ request_body }) => names(JSON.parse(request_body), userId))
      if (named.length > 0) {
        isFound = true
        await inTransaction(ctx.db, async (tx) => {
          for (const { id, request_body } of named) {
            const { type, timestamp: at } = JSON.parse(request_body) as { type: string; timestamp: string }
            const scrubbed = JSON.stringify({ type, timestamp: at, data: { erased: true } })
            await tx
              .updateTable('webhook_delivery')
              .set({ request_body: scrubbed, response_body: null, updated_at: timestamp(ctx.now()) })
              .where('workspace_id', '=', workspace)
              .where('id', '=', id)
              .execute()
            await tx
              .updateTable('webhook_delivery')
              .set({ status: 'failed', due_at: null, next_attempt_at: null, error: 'The person was erased.' })
              .where('workspace_id', '=', workspace)
              .where('id', '=', id)
              .where('status', '=', 'pending')
              .execute()
          }
          await count(tx, { webhook_deliveries: named.length })
        })
      }
      if (rows.length < batchSize) return isFound
      last = rows.at(-1)?.id ?? ''
    }
  },
}

/** Whether a value is the user id, however deep. */
function names(value: unknown, userId: string): boolean {
  if (value === userId) return true
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => names(each, userId))
}
