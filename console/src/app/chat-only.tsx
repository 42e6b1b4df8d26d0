import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { ErrorBoundary } from '../parts/error-boundary.tsx'
import { RateLimitBanner } from '../parts/rate-limit-banner.tsx'

/** The console for the role `user`: chat, approvals, memories and connected accounts. Links to conversations and agents open in the chat. */
export function ChatOnly() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [, page, id] = path.split('/')
  if (page !== 'chat' && page !== 'approvals' && page !== 'memories' && page !== 'settings') {
    const search = { conversations: { conversation: id }, agents: { agent: id } }[page ?? ''] ?? {}
    return <Navigate to="/chat" search={search as never} replace />
  }
  return (
    <main id="main" className={page === 'chat' ? 'chat-only' : ''} tabIndex={-1}>
      <RateLimitBanner />
      <ErrorBoundary>
        <Outlet />
      </ErrorBoundary>
    </main>
  )
}
