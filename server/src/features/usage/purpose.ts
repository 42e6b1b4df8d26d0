import type { CallPurpose } from '../../kernel/agent/tools.ts'
import type { Caller } from '../../kernel/context.ts'

/** A daily budget of its own, such as that of a monitor, which no other calls count towards. */
export interface Allowance {
  id: string
  name: string
  /** In nano-dollars a day. */
  limit: number
}

export interface Purpose extends CallPurpose {
  toolId?: string | null
  allowance?: Allowance
}

export type Payer = Pick<Caller, 'workspace' | 'token' | 'tab' | 'configuration'>
