import type { Schemas } from '@parley/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Brain, Keyboard, MessageSquarePlus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useWaitingApprovals } from '../../api/approvals.ts'
import { parley } from '../../api/parley.ts'
import { Account } from '../../app/account.tsx'
import { WaitingCount } from '../../app/navigation.tsx'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/list.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Loading } from '../../ui/states.tsx'
import { dayGroup } from './day-groups.ts'
import { HistoryRow } from './history-row.tsx'

interface HistoryProps {
  me: Schemas['Me']
  current: string | undefined
  onNew: () => void
  onOpen: (id: string, message?: string) => void
  onShortcuts: () => void
}

/** The caller's conversations, newest first, by day. */
export function History({ me, current, onNew, onOpen, onShortcuts }: HistoryProps) {
  const [q, setQ] = useState('')
  const chats = useInfiniteQuery({
    queryKey: ['chats', me.user_id, q],
    queryFn: ({ pageParam, signal }) => {
      const query = { mine: true, ...(q && { search: q }), sort: 'updated_at', limit: 50, page: pageParam } as const
      return parley.conversations.list(query, { signal }).page()
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
  })
  const shown = (chats.data?.pages ?? []).flatMap(({ data }) => data)
  const groups = Map.groupBy(shown, ({ updated_at }) => dayGroup(updated_at))
  return (
    <>
      {me.role === 'user' && <Logo />}
      <Button icon={MessageSquarePlus} onClick={onNew}>
        New chat
      </Button>
      <SearchBox label="Search chats" value={q} onChange={setQ} />
      <nav className="chat-list" aria-label="Chats">
        {chats.error && <ErrorPanel error={chats.error} onRetry={() => void chats.refetch()} />}
        {chats.isPending && <Loading />}
        {chats.data && shown.length === 0 && (
          <p className="muted small">{q ? 'No matching chats' : 'Your chats appear here.'}</p>
        )}
        {[...groups].map(([name, rows]) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {rows.map((row) => (
                <HistoryRow key={row.id} row={row} isCurrent={row.id === current} onOpen={onOpen} onNew={onNew} />
              ))}
            </ul>
          </section>
        ))}
        {chats.hasNextPage && (
          <Button small variant="quiet" busy={chats.isFetchingNextPage} onClick={() => void chats.fetchNextPage()}>
            Show older chats
          </Button>
        )}
      </nav>
      <Button small variant="quiet" icon={Keyboard} onClick={onShortcuts}>
        Keyboard shortcuts
      </Button>
      {me.role === 'user' && <ApprovalsLink />}
      {me.role === 'user' && (
        <Link to="/memories" className="approvals-link">
          <Brain aria-hidden size={15} />
          Memories
        </Link>
      )}
      {me.role === 'user' && <Account me={me} />}
    </>
  )
}

function ApprovalsLink() {
  const count = useWaitingApprovals()
  return (
    <Link to="/approvals" className="approvals-link">
      <ShieldCheck aria-hidden size={15} />
      Approvals
      <WaitingCount count={count} />
    </Link>
  )
}
