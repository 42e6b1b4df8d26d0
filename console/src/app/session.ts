import { useSyncExternalStore } from 'react'

/** The token is kept in memory and in this tab's sessionStorage, nowhere else. */
interface Session {
  token: string | null
  /** For owners: the selected workspace, if it is not the token's own. */
  workspace: string | null
  /** Why the session ended. */
  notice: string | null
}

const tokenKey = 'parley-token'
const workspaceKey = 'parley-workspace'

let session: Session = {
  token: sessionStorage.getItem(tokenKey),
  workspace: sessionStorage.getItem(workspaceKey),
  notice: null,
}
const listeners = new Set<() => void>()

function change(next: Partial<Session>): void {
  session = { ...session, ...next }
  persist(tokenKey, session.token)
  persist(workspaceKey, session.workspace)
  for (const listener of listeners) listener()
}

function persist(key: string, value: string | null): void {
  if (value === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, value)
}

export const currentToken = (): string | null => session.token
export const currentWorkspace = (): string | null => session.workspace

export const signIn = (token: string): void => change({ token: token.trim(), workspace: null, notice: null })
export const signOut = (notice: string | null = null): void => change({ token: null, workspace: null, notice })
export const switchWorkspace = (workspace: string | null): void => change({ workspace })

/** Takes the token from the fragment of a sign-in link. Fragments are never sent to a server. */
export function takeTokenFromUrl(): boolean {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!given) return false
  history.replaceState(history.state, '', location.pathname + location.search)
  signIn(given)
  return true
}

export const useSession = (): Session =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session,
  )
