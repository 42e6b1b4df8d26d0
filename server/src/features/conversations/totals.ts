import type { Db } from '../../kernel/store/database.ts'
import { dollars } from '../usage/cost.ts'
import type { Totals } from './schema.ts'

/** Messages of the active branch; tokens and cost of all branches. */
export async function conversationTotals(db: Db, workspace: string, conversation: string): Promise<Totals> {
  const rows = await db
    .selectFrom('message')
    .select(['role', 'superseded'])
    .select(({ fn }) => [
      fn.countAll<number>().as('messages'),
      fn.sum<number | null>('input_tokens').as('input'),
      fn.sum<number | null>('output_tokens').as('output'),
      fn.sum<number | null>('cost_nano').as('cost'),
    ])
    .where('workspace_id', '=', workspace)
    .where('conversation_id', '=', conversation)
    .groupBy(['role', 'superseded'])
    .execute()
  const sum = (field: 'messages' | 'input' | 'output' | 'cost', of = rows) =>
    of.reduce((total, row) => total + Number(row[field] ?? 0), 0)
  const shown = (role: string) =>
    sum(
      'messages',
      rows.filter((row) => row.role === role && !row.superseded),
    )
  const [user, assistant] = [shown('user'), shown('assistant')]
  return {
    messages: { total: user + assistant, user, assistant },
    tokens: { input: sum('input'), output: sum('output') },
    cost: dollars(sum('cost')),
  }
}
