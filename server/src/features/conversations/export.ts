import type { Caller, Context } from '../../kernel/context.ts'
import { present } from '../runs/events.ts'
import type { MessageRow } from '../runs/reply.ts'
import { withVersions } from './branches.ts'
import { isWithheld, maskFor } from './hidden.ts'
import { withFacts } from './memory/facts.ts'
import { Conversation } from './schema.ts'
import { conversations, type ListFilter } from './service.ts'
import { type ConversationRow, messagesAfter } from './store.ts'
import { presentConversation } from './variables.ts'

const conversationsAtOnce = 50
const messagesAtOnce = 200
const fields = Object.keys(Conversation.properties) as (keyof Conversation)[]

/**
 * Every conversation the caller may see, oldest first, one on a line with all its messages. However much there is, only a
 * few rows are in memory at a time. Conversations that start meanwhile may be in it or not.
 */
export async function* exportLines(
  ctx: Context,
  who: Caller,
  filter: ListFilter,
  branches: 'active' | 'all' = 'active',
): AsyncGenerator<string> {
  let last = ''
  for (;;) {
    const batch = await conversations.after(ctx, who, filter, last, conversationsAtOnce)
    for (const conversation of batch)
      if (!(await isWithheld(ctx, who, conversation))) yield* exportLine(ctx, who, conversation, branches)
    if (batch.length < conversationsAtOnce) return
    last = batch.at(-1)?.id ?? ''
  }
}

async function* exportLine(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  branches: 'active' | 'all',
): AsyncGenerator<string> {
  const shown = Object.fromEntries(fields.map((name) => [name, conversation[name]]))
  const visible = presentConversation(shown, who)
  yield `${JSON.stringify(visible).slice(0, -1)},"messages":[`
  const mask = await maskFor(ctx, who, conversation)
  let last = ''
  for (;;) {
    const batch = await messagesAfter(ctx.db, who.workspace, conversation.id, last, messagesAtOnce, branches)
    const messages: MessageRow[] = await withVersions(ctx.db, await withFacts(ctx, who, batch.map(mask)))
    const text = messages.map((message) => JSON.stringify(present(message))).join(',')
    if (text !== '') yield last === '' ? text : `,${text}`
    if (messages.length < messagesAtOnce) break
    last = messages.at(-1)?.id ?? ''
  }
  yield ']}\n'
}
