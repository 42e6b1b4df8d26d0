import type { CallPurpose } from '../../kernel/agent/tools.ts'
import type { Caller } from '../../kernel/context.ts'

export interface Purpose extends CallPurpose {
  toolId?: string | null
}

export type Payer = Pick<Caller, 'workspace' | 'token' | 'tab' | 'configuration'>
