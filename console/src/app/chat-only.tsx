import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { ErrorBoundary } from '../ui/error-boundary.tsx'

/** What users see: the chat alone. Links to conversations and agents open them there. */
export function ChatOnly() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [, page, id] = path.split('/')
  if (page !== 'chat') {
    const search = { conversations: { conversation: id }, agents: { agent: id } }[page ?? ''] ?? {}
    return <Navigate to="/chat" search={search as never} replace />
  }
  return (
    <main id="main" className="chat-only" tabIndex={-1}>
      <ErrorBoundary>
        <Outlet />
      </ErrorBoundary>
    </main>
  )
}
