import type { Person } from '@parley/client'
import { useSyncExternalStore } from 'react'

/** The server knows who is signed in, by a cookie that scripts cannot read. */
interface Session {
  /** `open` until a response says otherwise. */
  status: 'open' | 'starting' | 'ended'
  /** For owners: the selected workspace, if it is not the token's own. */
  workspace: string | null
  /** The person of a preview. */
  seenAs: Person | null
  /** Why the session ended. */
  notice: string | null
}

/** Each tab has its own workspace; a new tab starts with the last one that was selected. */
const workspaceKey = 'parley-workspace'
const storages = [sessionStorage, localStorage]

let session: Session = {
  status: 'open',
  workspace: sessionStorage.getItem(workspaceKey) ?? localStorage.getItem(workspaceKey),
  seenAs: null,
  notice: null,
}
const listeners = new Set<() => void>()

function change(next: Partial<Session>): void {
  session = { ...session, ...next }
  for (const listener of listeners) listener()
}

export const currentWorkspace = (): string | null => session.workspace

export function switchWorkspace(workspace: string | null): void {
  for (const storage of storages) {
    if (workspace === null) storage.removeItem(workspaceKey)
    else storage.setItem(workspaceKey, workspace)
  }
  change({ workspace, seenAs: null })
}

export const currentPerson = (): Person | null => session.seenAs

export const seeAs = (seenAs: Person | null): void => change({ seenAs })

export const startSession = (): void => change({ status: 'starting', notice: null })
export const openSession = (): void => change({ status: 'open', notice: null })

export function endSession(notice: string | null): void {
  switchWorkspace(null)
  change({ status: 'ended', notice })
}

export const useSession = (): Session =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session,
  )
