import { decodeSteps } from '../../kernel/agent/steps.ts'
import type { MessageRow } from '../runs/reply.ts'

/** The cached input tokens and the reasoning tokens of a reply, by the model calls of its trace. */
export function tokenDetails({ steps }: Pick<MessageRow, 'steps'>): { cached: number; reasoning: number } {
  const calls = (decodeSteps(steps)?.steps ?? []).flatMap(({ type, usage }) =>
    type === 'model' && usage ? [usage] : [],
  )
  const sum = (name: 'cachedInput' | 'reasoning') => calls.reduce((total, used) => total + used[name], 0)
  return { cached: sum('cachedInput'), reasoning: sum('reasoning') }
}
