import type { Caller } from '../../kernel/context.ts'

export interface Purpose {
  agentId?: string | null
  conversationId?: string | null
  messageId?: string | null
  userId?: string | null
  toolId?: string | null
  evaluationId?: string | null
}

export type Payer = Pick<Caller, 'workspace' | 'token'>
