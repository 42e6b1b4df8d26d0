import type { Schemas } from '@parley/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Bot, MessagesSquare } from 'lucide-react'
import { nameIn, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Pager, SearchBox, useListAddress } from '../../ui/list.tsx'
import { Badge, PageFrame } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

type Status = Schemas['Conversation']['status']

export default function Conversations() {
  const { search, page, q, change } = useListAddress()
  const { agent, status } = search
  const agents = useAgents()
  const conversations = useQuery({
    queryKey: ['conversations', 'list', page, q, agent, status],
    queryFn: ({ signal }) =>
      parley.conversations
        .list(
          {
            page,
            limit: 25,
            sort: 'updated_at',
            q: q || undefined,
            agent_id: agent,
            status: status as Status | undefined,
          },
          { signal },
        )
        .page(),
    placeholderData: keepPreviousData,
  })
  const isFiltered = Boolean(q || agent || status)
  return (
    <PageFrame title="Conversations" lead="Everything that was said, with every step that led to it.">
      <div className="toolbar">
        <SearchBox label="Search conversations" value={q} onChange={(text) => change({ q: text, page: undefined })} />
        <select
          aria-label="Agent"
          value={agent ?? ''}
          onChange={(event) => change({ agent: event.target.value || undefined, page: undefined })}
        >
          <option value="">Every agent</option>
          {(agents.data ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="State"
          value={status ?? ''}
          onChange={(event) => change({ status: event.target.value || undefined, page: undefined })}
        >
          <option value="">Active and completed</option>
          <option value="active">Active</option>
          <option value="completed">Completed</option>
        </select>
      </div>
      {conversations.error && <ErrorPanel error={conversations.error} onRetry={() => void conversations.refetch()} />}
      {conversations.isPending && <Loading />}
      {conversations.data?.data.length === 0 && (
        <Empty
          icon={MessagesSquare}
          title={isFiltered ? 'No conversation fits' : 'No conversations yet'}
          action={
            !isFiltered && (
              <LinkButton variant="primary" to="/agents" icon={Bot}>
                Choose an agent
              </LinkButton>
            )
          }
        >
          {isFiltered ? 'Try other words or another agent.' : 'Talk to an agent and the conversation appears here.'}
        </Empty>
      )}
      {conversations.data && conversations.data.data.length > 0 && (
        <>
          <Table
            label="Conversations"
            rows={conversations.data.data}
            keyOf={({ id }) => id}
            to={({ id }) => `/conversations/${id}`}
            columns={[
              { title: 'Conversation', cell: ({ title }) => title ?? 'Without a title' },
              { title: 'Agent', minor: true, cell: ({ agent_id: id }) => nameIn(agents.data, id) },
              { title: 'User', minor: true, cell: ({ user_id: user }) => user ?? '–' },
              {
                title: 'State',
                minor: true,
                cell: ({ status: is }) => <Badge tone={is === 'active' ? 'accent' : 'plain'}>{is}</Badge>,
              },
              { title: 'Last message', numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
            ]}
          />
          <Pager pagination={conversations.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </PageFrame>
  )
}
