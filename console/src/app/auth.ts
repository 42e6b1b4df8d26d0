import { isParleyError } from '@parley/client'
import { parley } from '../api/parley.ts'
import { queries } from '../api/queries.ts'
import { endSession, openSession, startSession, switchWorkspace } from '../api/session.ts'
import { explain, toFailure } from '../ui/errors.ts'

/** Tells the other tabs of this browser. */
const tabs = new BroadcastChannel('parley-session')

export async function signIn(token: string, remember: boolean): Promise<void> {
  await parley.auth.signIn({ token: token.trim(), remember }, { maxRetries: 0 })
  switchWorkspace(null)
  queries.clear()
  openSession()
  tabs.postMessage('signed in')
}

/** The code of the invitation link that was opened, if one was. */
export const invitationCode = (): string | null =>
  location.pathname === '/invitation' ? new URLSearchParams(location.hash.slice(1)).get('code') : null

/** Whether the link is for somebody who is here already, so that their name is known. */
export const isSignInLink = (): boolean => new URLSearchParams(location.hash.slice(1)).has('again')

export async function acceptInvitation(code: string, name: string): Promise<void> {
  await parley.invitations.accept({ code, ...(name.trim() !== '' && { name: name.trim() }) }, { maxRetries: 0 })
  switchWorkspace(null)
  tabs.postMessage('signed in')
  location.replace('/')
}

export function invitationProblem(error: unknown): string {
  if (isParleyError(error, 'not_found')) return 'This invitation was used or has expired. Ask for a new one.'
  const { title, text } = explain(toFailure(error))
  return `${title}. ${text}`
}

export async function signOut({ everywhere = false } = {}): Promise<void> {
  const signedOut = await parley
    .as(null)
    .auth.signOut({ everywhere })
    .catch((error: unknown) => {
      if (!isParleyError(error, 'invalid_token', 'unauthenticated')) throw error
    })
  leave(everywhere ? 'You are signed out in all browsers.' : null)
  tabs.postMessage('signed out')
  if (signedOut?.end_session_url) location.assign(signedOut.end_session_url)
}

/** Set while this tab is at the identity provider. */
const awayKey = 'parley-signing-in'

/** Goes to the identity provider, which returns to this page. */
export function signInAt(loginUrl: string): void {
  sessionStorage.setItem(awayKey, 'true')
  const query = new URLSearchParams({ return_to: location.pathname + location.search })
  location.assign(`${loginUrl}?${query}`)
}

/** Shows the sign-in page. */
function leave(notice: string | null): void {
  endSession(notice)
  queries.clear()
}

export function signInProblem(error: unknown): string {
  if (isParleyError(error, 'invalid_token', 'unauthenticated')) return 'This token is invalid, revoked or expired.'
  const { title, text } = explain(toFailure(error))
  return `${title}. ${text}`
}

/** Signs in with the token in the fragment of a sign-in link. Fragments are never sent to a server. */
async function signInByLink(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!token) return
  history.replaceState(history.state, '', location.pathname + location.search)
  startSession()
  await signIn(token, true).catch((error: unknown) => leave(signInProblem(error)))
}

/** Follows sign-in links and the other tabs. */
export function followSession(): void {
  if (sessionStorage.getItem(awayKey) !== null) {
    sessionStorage.removeItem(awayKey)
    tabs.postMessage('signed in') // the other tabs find out whether that is so
  }
  void signInByLink()
  // Opening a sign-in link in a tab that already shows the console only changes the fragment.
  addEventListener('hashchange', () => void signInByLink())
  tabs.onmessage = ({ data }) => {
    if (data === 'signed out') return leave(null)
    openSession()
    void queries.invalidateQueries() // keeps unsaved edits
  }
}
