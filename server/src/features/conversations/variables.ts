import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { seesSummary } from './memory/facts.ts'

/** Variables are part of the agent's instructions, which the role `user` neither writes nor sees. */
export function refuseVariables(next: Record<string, string>, previous: Record<string, string> = {}): void {
  if (isDeepStrictEqual(next, previous)) return
  forbidden("variables become part of the agent's instructions, which a token of role user cannot change.")
}

export const hiddenFields = (who: Caller): readonly string[] => (who.role === 'user' ? ['variables'] : [])

/** Readers of a shared conversation do not see its summary: it may rest on documents that they may not see. */
export function presentConversation<T extends object>(conversation: T, who: Caller): T {
  const hidden = hiddenFields(who)
  const shown = Object.fromEntries(Object.entries(conversation).filter(([name]) => !hidden.includes(name))) as T
  const { summary, user_id = null } = conversation as { summary?: unknown; user_id?: string | null }
  return summary && !seesSummary(who, user_id) ? { ...shown, summary: null } : shown
}
