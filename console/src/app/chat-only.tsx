import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { ErrorBoundary } from '../parts/error-boundary.tsx'

/** What users see: the chat, and what waits for their approval. Links to conversations and agents open them in the chat. */
export function ChatOnly() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [, page, id] = path.split('/')
  if (page !== 'chat' && page !== 'approvals') {
    const search = { conversations: { conversation: id }, agents: { agent: id } }[page ?? ''] ?? {}
    return <Navigate to="/chat" search={search as never} replace />
  }
  return (
    <main id="main" className={page === 'chat' ? 'chat-only' : ''} tabIndex={-1}>
      <ErrorBoundary>
        <Outlet />
      </ErrorBoundary>
    </main>
  )
}
