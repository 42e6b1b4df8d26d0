import { sql } from 'kysely'
import type { Context, PersonalFunctions } from '../../kernel/context.ts'
import type { ErasedPerson } from '../../kernel/personal-data.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { hasText } from '../../kernel/store/text-index.ts'
import { ownedBy, removeContent, removeConversations } from '../conversations/removal.ts'
import { fingerprint } from './cases/store.ts'
import type { Score } from './schema.ts'

interface CaseKey {
  evaluation_id: string
  version: number
  position: number
}

const erased = { input: '[erased]', expected_output: null }
const idsAtOnce = 500
const casesAtOnce = 20

/** Clears the text of test cases made from messages of the person, and their answers. Only metadata names the person. */
export const testCasesOfPerson: PersonalFunctions = {
  async erase(ctx, person) {
    const cases = await findCases(ctx, person)
    for (let start = 0; start < cases.length; start += casesAtOnce)
      await eraseCases(ctx, person, cases.slice(start, start + casesAtOnce))
    return cases.length > 0
  },
}

/** The metadata of a test case names the conversation it was made from. */
async function findCases(ctx: Context, { workspace, userId }: ErasedPerson): Promise<CaseKey[]> {
  const rows = await ctx.longReads
    .selectFrom('evaluation_case')
    .select(['evaluation_id', 'version', 'position', 'metadata'])
    .where('workspace_id', '=', workspace)
    .where(hasText(sql.ref('metadata'), '"conversation_id":"cnv_'))
    .execute()
  const byConversation = Map.groupBy(rows, ({ metadata }) => String(JSON.parse(metadata).conversation_id))
  const ids = [...byConversation.keys()]
  const cases: CaseKey[] = []
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const own = await ownedBy(ctx.db, workspace, userId, ids.slice(start, start + idsAtOnce))
    for (const id of own) cases.push(...(byConversation.get(id) ?? []))
  }
  return cases
}

async function eraseCases(ctx: Context, { workspace, count }: ErasedPerson, cases: CaseKey[]): Promise<void> {
  const files = await inTransaction(ctx.db, async (tx) => {
    const conversations: string[] = []
    for (const each of cases) {
      await tx
        .updateTable('evaluation_case')
        .set({ ...erased, metadata: '{}', fingerprint: fingerprint(erased) })
        .where('workspace_id', '=', workspace)
        .where('evaluation_id', '=', each.evaluation_id)
        .where('version', '=', each.version)
        .where('position', '=', each.position)
        .execute()
      conversations.push(...(await eraseResults(tx, workspace, each)))
    }
    const removed = conversations.length > 0 ? await removeConversations(ctx, tx, workspace, conversations) : null
    await count(tx, { test_cases: cases.length })
    return removed?.files ?? []
  })
  await removeContent(ctx, workspace, files)
}

/** Returns the conversations in which the runs tested these cases. */
async function eraseResults(tx: Db, workspace: string, { evaluation_id, version, position }: CaseKey) {
  const runs = tx
    .selectFrom('evaluation_run')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('evaluation_id', '=', evaluation_id)
    .where('cases_version', '=', version)
  const results = await tx
    .selectFrom('evaluation_result')
    .select(['run_id', 'scores', 'conversation_id'])
    .where('workspace_id', '=', workspace)
    .where('run_id', 'in', runs)
    .where('position', '=', position)
    .execute()
  for (const { run_id, scores } of results) {
    const withoutReasons = (JSON.parse(scores) as Score[]).map(({ reason: _, ...score }) => score)
    await tx
      .updateTable('evaluation_result')
      .set({ actual_output: null, error: null, conversation_id: null, scores: JSON.stringify(withoutReasons) })
      .where('workspace_id', '=', workspace)
      .where('run_id', '=', run_id)
      .where('position', '=', position)
      .execute()
  }
  return results.flatMap(({ conversation_id }) => conversation_id ?? [])
}
