import { type Kysely, sql } from 'kysely'
import { idSource } from '../../../kernel/ids.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { DatedMigration } from '../../../kernel/store/migrate.ts'
import { day, timestamp } from '../../../kernel/time.ts'
import type { MessageCells } from '../message-row.ts'
import type { PausedTurn } from '../turn/paused-turn.ts'

/** The calls that wait for a person. Replies that wait already get their approvals, with a whole day to decide. */
export const approvalMigration: DatedMigration = {
  name: '2026-11-17-31-approvals',
  async up(db) {
    await db.schema
      .createTable('approval')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('conversation_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull().references('message.id').onDelete('cascade'))
      .addColumn('tool_call_id', 'text', (column) => column.notNull())
      .addColumn('tool_id', 'text')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('target', 'text')
      .addColumn('arguments', 'text', (column) => column.notNull())
      .addColumn('agent_id', 'text')
      .addColumn('agent_name', 'text')
      .addColumn('user_id', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('approvers', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', 'text')
      .addColumn('comment', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('approval_call')
      .unique()
      .on('approval')
      .columns(['message_id', 'tool_call_id'])
      .execute()
    await db.schema
      .createIndex('approval_list')
      .on('approval')
      .columns(['workspace_id', 'status', 'created_at', 'id'])
      .execute()
    await db.schema.createIndex('approval_expiry').on('approval').columns(['status', 'expires_at']).execute()
    await addWaiting(db as Kysely<unknown> as Db)
  },
}

interface Waiting extends Pick<MessageCells, 'id' | 'workspace_id' | 'conversation_id' | 'agent_id' | 'user_id'> {
  tool_calls: string
  agent_name: string | null
  state: string
}

async function addWaiting(db: Db): Promise<void> {
  const newId = idSource(Date.now)
  const now = Date.now()
  const { rows: waiting } = await sql<Waiting>`
    select message.id, message.workspace_id, message.conversation_id, message.agent_id, message.user_id,
      message.tool_calls, agent.name as agent_name, paused_turn.state
    from paused_turn join message on message.id = paused_turn.message_id
    left join agent on agent.id = message.agent_id`.execute(db)
  for (const { id, tool_calls, state, workspace_id, ...row } of waiting) {
    const calls = JSON.parse(tool_calls) as { id: string; approved?: boolean; approval_id?: string }[]
    for (const pending of (JSON.parse(state) as PausedTurn).pause.pending) {
      const call = calls.find((each) => each.id === pending.id)
      if (!call) continue
      call.approval_id = newId('apr')
      await db
        .insertInto('approval')
        .values({
          ...row,
          id: call.approval_id,
          workspace_id,
          message_id: id,
          tool_call_id: pending.id,
          tool_id: pending.toolId,
          name: pending.name,
          target: pending.target ?? null,
          arguments: JSON.stringify(pending.input),
          status: call.approved === undefined ? 'pending' : call.approved ? 'approved' : 'refused',
          approvers: 'null',
          expires_at: timestamp(now + day),
          decided_by: null,
          decided_at: null,
          comment: null,
          revision: 1,
          created_at: timestamp(now),
          updated_at: timestamp(now),
        })
        .execute()
    }
    await db
      .updateTable('message')
      .set({ tool_calls: JSON.stringify(calls) })
      .where('id', '=', id)
      .execute()
  }
}
