import type { Context, PersonalFunctions } from '../../kernel/context.ts'
import { deleteResponses } from '../../kernel/http/idempotency-store.ts'
import { deleteCounter } from '../../kernel/http/rate-limit.ts'
import { type ErasedPerson, oidcIdentity, type Person } from '../../kernel/personal-data.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { removeFromVersions } from '../../kernel/store/versions.ts'
import { timestamp } from '../../kernel/time.ts'
import { tokensOfPerson } from '../tokens/service.ts'
import { toFunctions } from './declared.ts'
import { removeExports } from './export.ts'
import { type JobRow, updateJob } from './store.ts'

/** Limits the repetitions, because others may keep acting for the person. */
const maxPasses = 10

/**
 * Erases everything of a person. Later features are erased first, because they may need what they refer to; tokens are erased last. So the
 * person may act meanwhile, and all of it is repeated until nothing is left.
 */
export async function erasePerson(ctx: Context, job: JobRow, person: Person, signal: AbortSignal): Promise<void> {
  const erased: ErasedPerson = {
    ...person,
    count: (tx, numbers) => addToReceipt(ctx, tx, person.workspace, job.id, numbers),
  }
  const order = ctx.personalData.map(toFunctions).toReversed()
  for (let pass = 1, more = true; more && pass <= maxPasses; pass++) {
    more = false
    for (const { erase } of order) {
      while (await erase?.(ctx, erased)) {
        more = true
        signal.throwIfAborted()
      }
    }
  }
  for (const { compact } of order) await compact?.(ctx, signal)
  await inTransaction(ctx.db, async (tx) => {
    await tx
      .deleteFrom('person')
      .where('workspace_id', '=', person.workspace)
      .where('user_id', '=', person.userId)
      .execute()
    const finished = { status: 'completed', error: null, finished_at: timestamp(ctx.now()) } as const
    await updateJob(ctx, tx, person.workspace, job.id, finished)
  })
}

async function addToReceipt(
  ctx: Context,
  tx: Db,
  workspace: string,
  id: string,
  numbers: Record<string, number>,
): Promise<void> {
  const { receipt } = await tx
    .selectFrom('person_job')
    .select('receipt')
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const sums = JSON.parse(receipt) as Record<string, number>
  for (const [kind, number] of Object.entries(numbers)) if (number > 0) sums[kind] = (sums[kind] ?? 0) + number
  await updateJob(ctx, tx, workspace, id, { receipt: JSON.stringify(sums) })
}

/**
 * Stored responses are sealed, snapshots of versions hold lists inside their JSON, archives are files, and the key of a rate
 * limit is not in a workspace; so these are erased by hand. The person is one object in the export, not lines.
 */
export const otherDataOfPerson: PersonalFunctions = {
  async *files({ db }, { workspace, userId }) {
    const row = await db
      .selectFrom('person')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const { revision: _, workspace_id: __, groups, ...shown } = row
    const person = { ...shown, groups: JSON.parse(groups) as string[] }
    yield { name: 'person.json', content: [`${JSON.stringify(person, null, 2)}\n`] }
  },

  async erase(ctx, person) {
    const { workspace, userId, count } = person
    const tokens = await tokensOfPerson(ctx.db, workspace, userId)
    const responses = await deleteResponses(ctx, workspace, {
      tokens: [oidcIdentity(userId), ...tokens.map(({ id }) => id)],
      mentions: JSON.stringify(userId).slice(1, -1),
    })
    const exports = await removeExports(ctx, person)
    await deleteCounter(ctx.db, oidcIdentity(userId))
    const lists = await removeFromVersions(ctx.db, workspace, userId)
    if (responses + exports + lists === 0) return false
    await inTransaction(ctx.db, (tx) => count(tx, { stored_responses: responses, exports, access_lists: lists }))
    return true
  },
}
