import { useSyncExternalStore } from 'react'

/** Who is signed in: the token lives in memory and in this tab's sessionStorage, nowhere else. */
interface Session {
  token: string | null
  /** For an owner: the workspace to look at, where it is not the token's own. */
  workspace: string | null
  /** Why there is no session any more. */
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
  keep(tokenKey, session.token)
  keep(workspaceKey, session.workspace)
  for (const listener of listeners) listener()
}

function keep(key: string, value: string | null): void {
  if (value === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, value)
}

export const currentToken = (): string | null => session.token
export const currentWorkspace = (): string | null => session.workspace

export const signIn = (token: string): void => change({ token: token.trim(), workspace: null, notice: null })
export const signOut = (notice: string | null = null): void => change({ token: null, workspace: null, notice })
export const actIn = (workspace: string | null): void => change({ workspace })

/** A sign-in link carries the token in the fragment, which no server sees. It is taken from there once. */
export function takeTokenFromAddress(): boolean {
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
