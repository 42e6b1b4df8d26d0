import { type WaitingKind, waitingKind } from '../../../kernel/agent/needs.ts'
import type { StoredToolCall } from '../../runs/schema.ts'

interface Kind {
  /** Whether nobody has done yet what the call waits for. */
  isOpen(call: StoredToolCall): boolean
  /** Nobody has done it in time. Approvals expire by their own rows. */
  expire?(call: StoredToolCall): void
}

/** The kinds of waiting for a person, as a call keeps them. */
const kinds: Record<WaitingKind, Kind> = {
  approval: { isOpen: ({ approved }) => approved === undefined },
  connection: {
    isOpen: ({ connection }) => connection?.status === 'required',
    expire: ({ connection }) => void Object.assign(connection ?? {}, { status: 'expired', authorize_url: null }),
  },
  input: {
    isOpen: ({ inputs }) => inputs?.at(-1)?.action === null,
    expire: ({ inputs }) => void Object.assign(inputs?.at(-1) ?? {}, { action: 'expired' }),
  },
}

/** Whether nobody has done yet what a call waits for. */
export function isUnsettled(call: StoredToolCall): boolean {
  const kind = waitingKind(call.status)
  return kind !== null && kinds[kind].isOpen(call)
}

export function expireNeed(call: StoredToolCall): void {
  const kind = waitingKind(call.status)
  if (kind !== null) kinds[kind].expire?.(call)
}
