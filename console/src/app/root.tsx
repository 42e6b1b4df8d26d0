import { isParleyError } from '@parley/client'
import { lazy, Suspense, useEffect } from 'react'
import { useMe } from '../api/permissions.ts'
import { endSession, switchWorkspace, useSession } from '../api/session.ts'
import { ErrorAction } from '../parts/error-action.tsx'
import { ErrorPanel } from '../parts/error-panel.tsx'
import { RateLimitBanner } from '../parts/rate-limit-banner.tsx'
import { Loading } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { invitationCode, signOut } from './auth.ts'
import { ChatOnly } from './chat-only.tsx'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

const AcceptInvitation = lazy(() => import('./accept-invitation.tsx'))
const Consent = lazy(() => import('./consent.tsx'))

export const Root = () => (
  <Toasts action={(failure) => <ErrorAction failure={failure} />}>
    <Console />
  </Toasts>
)

/** Shows the console once the caller is known. */
function Console() {
  const { status, workspace } = useSession()
  const me = useMe()
  const isWorkspaceGone = workspace !== null && isParleyError(me.error, 'not_found', 'forbidden')
  useEffect(() => {
    if (isWorkspaceGone) switchWorkspace(null)
  }, [isWorkspaceGone])

  const code = invitationCode()
  if (code !== null)
    return (
      <Suspense fallback={<Loading />}>
        <AcceptInvitation code={code} />
      </Suspense>
    )
  if (status === 'ended') return <SignIn />
  if (me.data && status === 'open' && location.pathname === '/oauth/consent')
    return (
      <Suspense fallback={<Loading />}>
        <Consent me={me.data} />
      </Suspense>
    )
  if (me.data && status === 'open') return me.data.role === 'user' ? <ChatOnly /> : <Shell me={me.data} />
  if (me.error && !isWorkspaceGone && !isParleyError(me.error, 'invalid_token', 'unauthenticated')) {
    return (
      <main className="centered">
        <ErrorPanel
          error={me.error}
          onRetry={() => void me.refetch()}
          onLeave={() => void signOut().catch(() => endSession(null))}
        />
      </main>
    )
  }
  return (
    <>
      <RateLimitBanner />
      <main className="centered">
        <Loading />
      </main>
    </>
  )
}
