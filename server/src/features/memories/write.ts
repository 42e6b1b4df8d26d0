import type { Context } from '../../kernel/context.ts'
import type { RecalledFact } from '../../kernel/llm/memory-prompt.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import type { AgentRow } from '../agents/service.ts'
import { indexMemories } from './indexing.ts'
import { maxContent } from './schema.ts'
import { FactWords } from './words.ts'

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

/** A fact that is worded differently is replaced by the person's own sentence, if that has this share of its words. */
const minCoverage = 0.5

/**
 * The fact in words of the person, and the message that it comes from; undefined if none says it. A fact with a word that
 * is not in the message is replaced by the person's sentence: the word may come from a document or a tool.
 */
export function inOwnWords<Fact extends NewFact>(
  fact: Fact,
  messages: readonly WrittenMessage[],
): { fact: Fact; message: WrittenMessage } | undefined {
  const words = new FactWords(fact.content)
  const best = mostCovering(words, messages, ({ content }) => content)
  if (!best) return undefined
  const { found: message, share } = best
  if (share === 1) return { fact, message }
  const sentence = mostCovering(words, sentencesIn(message.content), (text) => text)
  if (!sentence || sentence.share < minCoverage || sentence.found.length > maxContent) return undefined
  return { fact: { ...fact, content: sentence.found }, message }
}

function mostCovering<Text>(words: FactWords, texts: readonly Text[], read: (text: Text) => string) {
  const shares = texts.map((found) => ({ found, share: words.coverage(read(found)) }))
  return shares.sort((one, other) => other.share - one.share)[0]
}

const sentencesIn = (text: string): string[] =>
  text
    .split(/(?<=[.!?。！？])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

/** Stores a fact, or a new version of the one that it replaces. Returns null if it is known already, or its source is gone. */
export async function writeFact(
  ctx: Context,
  keeper: Keeper,
  { content: text, replaces = null }: NewFact,
  message: WrittenMessage,
): Promise<RecalledFact | null> {
  const content = text.trim().slice(0, maxContent).toWellFormed()
  const { workspace } = keeper
  // A fact about nobody would be recalled for everybody, and what somebody without a name has said is about them.
  if (keeper.userId === null) return null
  const owner = {
    user_id: keeper.userId,
    agent_id: keeper.agent.memory?.scope === 'agent' ? keeper.agent.id : null,
  }
  const source = JSON.stringify({ conversation_id: message.conversationId, message_id: message.id })
  const written = await inTransaction(ctx.db, async (tx) => {
    if (!(await ctx.state.memories.lockWritten(tx, workspace, message))) return null
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
    .select(['id', 'content', 'source', 'message_id', 'edited', 'revision', 'updated_at'])
    .where('workspace_id', '=', workspace)
    .where('user_id', 'is not distinct from', owner.user_id)
    .where('agent_id', 'is not distinct from', owner.agent_id)

/** Forgets facts of messages that stay without their text, as the trigger does when a message is deleted. */
export async function forgetSources(tx: Db, workspace: string, messages: string[]): Promise<void> {
  const detached = { message_id: null, source: 'null' }
  const versions = { workspace_id: workspace }
  await tx
    .deleteFrom('memory_version')
    .where((is) => is.and({ ...versions, edited: false }))
    .where('message_id', 'in', messages)
    .execute()
  await tx
    .updateTable('memory_version')
    .set(detached)
    .where((is) => is.and(versions))
    .where('message_id', 'in', messages)
    .execute()
  const facts = await tx
    .selectFrom('memory')
    .select(['id', 'edited'])
    .where('workspace_id', '=', workspace)
    .where('message_id', 'in', messages)
    .execute()
  for (const { id, edited } of facts) {
    if (edited)
      await tx
        .updateTable('memory')
        .set(detached)
        .where((is) => is.and({ id, ...versions }))
        .execute()
    else await takeBack(tx, workspace, id)
  }
}

/** Brings back what a fact was before its last change, or deletes it if there is nothing. Returns whether it still exists. */
export async function takeBack(tx: Db, workspace: string, id: string): Promise<boolean> {
  const memory = { workspace_id: workspace, id }
  const version = await tx
    .selectFrom('memory_version')
    .select(['revision', 'content', 'source', 'message_id', 'edited', 'created_at'])
    .where((is) => is.and({ workspace_id: workspace, memory_id: id }))
    .orderBy('revision', 'desc')
    .executeTakeFirst()
  if (!version) {
    await tx
      .deleteFrom('memory')
      .where((is) => is.and(memory))
      .execute()
    return false
  }
  const { revision, created_at: updated_at, ...before } = version
  await tx
    .updateTable('memory')
    .set((is) => ({ ...before, updated_at, revision: is('revision', '+', 1) }))
    .where((is) => is.and(memory))
    .execute()
  await tx
    .deleteFrom('memory_version')
    .where((is) => is.and({ workspace_id: workspace, memory_id: id, revision }))
    .execute()
  return true
}
