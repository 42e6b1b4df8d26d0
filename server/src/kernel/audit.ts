import type { Caller } from './caller.ts'
import type { Statement } from './store/commits.ts'
import type { Db } from './store/database.ts'

export interface AuditedChange {
  action: string
  kind: string
  id: string | null
  /** The part of the resource that changed, such as a message of a conversation. */
  part?: string | null
  fields?: string[]
}

/** Records the changes that requests make. Changes of the service itself are not recorded. */
export interface AuditLog {
  /** Adds an entry in the transaction that makes the change. */
  record(tx: Db, who: Caller, change: AuditedChange): Promise<void>
  /** Adds an entry with the statements that make the change. */
  statements(who: Caller, change: AuditedChange): Statement[]
  close(): Promise<void>
}

/** The same caller without audit entries, for a part of a change that is audited as a whole. */
export function withoutAudit({ requestId, ...who }: Caller): Caller {
  return who
}
