import type { Context } from '../../kernel/context.ts'
import type { RecalledFact } from '../../kernel/llm/memory-prompt.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import type { AgentRow } from '../agents/service.ts'
import { indexMemories } from './indexing.ts'
import { maxContent } from './schema.ts'
import { coverage } from './words.ts'

/** A message that the person wrote. */
export interface WrittenMessage {
  id: string
  conversationId: string
  content: string
}

export interface NewFact {
  content: string
  /** The id of the fact that it updates. */
  replaces?: string | null
}

/** Where facts of an agent about a person are kept. */
export interface Keeper {
  workspace: string
  agent: Pick<AgentRow, 'id' | 'memory'>
  userId: string | null
}

/** At least this share of the words of a fact must be the person's own. */
const minCoverage = 0.5

/**
 * The message of the person that a fact comes from, or undefined if none says it. What documents, tools, attachments and the
 * agent say is not among the messages, so it cannot become a fact about a person.
 */
export function sourceFor(content: string, messages: readonly WrittenMessage[]): WrittenMessage | undefined {
  const [best] = messages
    .map((message) => ({ message, share: coverage(content, message.content) }))
    .sort((one, other) => other.share - one.share)
  return best && best.share >= minCoverage ? best.message : undefined
}

/** Stores a fact, or a new version of the one that it replaces. Returns null if it is known already, or its source is gone. */
export async function writeFact(
  ctx: Context,
  keeper: Keeper,
  { content: given, replaces = null }: NewFact,
  message: WrittenMessage,
): Promise<RecalledFact | null> {
  const content = given.trim().slice(0, maxContent).toWellFormed()
  const { workspace } = keeper
  const owner = {
    user_id: keeper.userId,
    agent_id: keeper.agent.memory?.scope === 'agent' ? keeper.agent.id : null,
  }
  const source = JSON.stringify({ conversation_id: message.conversationId, message_id: message.id })
  const written = await inTransaction(ctx.db, async (tx) => {
    const own = ownFacts(tx, workspace, owner)
    if (await own.where('content', '=', content).executeTakeFirst()) return null
    const now = timestamp(ctx.now())
    const fact = { content, source, message_id: message.id, edited: false, updated_at: now }
    const earlier = replaces === null ? undefined : await own.where('id', '=', replaces).executeTakeFirst()
    if (!earlier) {
      const id = ctx.newId('mem')
      const row = {
        id,
        workspace_id: workspace,
        ...owner,
        ...fact,
        last_recalled_at: null,
        revision: 1,
        created_at: now,
      }
      await tx.insertInto('memory').values(row).execute()
      return { id, content }
    }
    const { id, revision, updated_at: created_at, ...replaced } = earlier
    await tx
      .insertInto('memory_version')
      .values({ memory_id: id, revision, workspace_id: workspace, ...replaced, created_at, replaced_at: now })
      .execute()
    await tx
      .updateTable('memory')
      .set({ ...fact, revision: revision + 1 })
      .where('workspace_id', '=', workspace)
      .where('id', '=', id)
      .execute()
    return { id, content }
  })
  if (written) await indexMemories(ctx, keeper)
  return written
}

const ownFacts = (tx: Db, workspace: string, owner: { user_id: string | null; agent_id: string | null }) =>
  tx
    .selectFrom('memory')
    .select(['id', 'content', 'source', 'message_id', 'revision', 'updated_at'])
    .where('workspace_id', '=', workspace)
    .where('user_id', 'is not distinct from', owner.user_id)
    .where('agent_id', 'is not distinct from', owner.agent_id)

/** Forgets facts of messages that stay without their text, as the deletion of a message would. */
export async function forgetSources(tx: Db, workspace: string, messages: string[]): Promise<void> {
  await tx
    .deleteFrom('memory_version')
    .where('workspace_id', '=', workspace)
    .where('message_id', 'in', messages)
    .execute()
  const facts = { workspace_id: workspace }
  await tx
    .deleteFrom('memory')
    .where((is) => is.and({ ...facts, edited: false }))
    .where('message_id', 'in', messages)
    .execute()
  await tx
    .updateTable('memory')
    .set({ message_id: null, source: 'null' })
    .where((is) => is.and(facts))
    .where('message_id', 'in', messages)
    .execute()
}
