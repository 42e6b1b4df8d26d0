import type { Message } from '@parley/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { CircleCheck, LogIn, MessageCircle, MessagesSquare, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { Chat } from '../../chat/chat.tsx'
import { useChatSession } from '../../chat/use-chat-session.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { costText, count, dateTime } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'
import { Badge, Card, PageFrame } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { showError } from '../../ui/toasts.tsx'
import { AddTestCase } from './add-test-case.tsx'

const back = { to: '/conversations', label: 'Conversations' }

export default function ConversationPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { message = null } = useListParams().search
  return <Conversation key={`${id} ${message}`} id={id} message={message} />
}

function Conversation({ id, message }: { id: string; message: string | null }) {
  const may = useMay()
  const me = useMe()
  const [hasJoined, setHasJoined] = useState(false)
  const navigate = useNavigate()
  const agents = useAgents()
  const personName = usePersonName()
  const conversation = useQuery({
    queryKey: ['conversations', id],
    queryFn: ({ signal }) => parley.conversations.get(id, { signal }),
  })
  const { session, state } = useChatSession('', id, undefined, message, true)
  const last = state.messages.at(-1)
  const totals = useQuery({
    queryKey: ['conversations', id, 'totals', last?.id, last?.status],
    queryFn: ({ signal }) => parley.conversations.totals(id, { signal }),
    placeholderData: keepPreviousData,
  })
  const agentId = conversation.data?.agent_id ?? ''
  const actions = useCallback(
    (message: Message) =>
      message.status === 'completed' && <AddTestCase conversation={id} message={message.id} agent={agentId} />,
    [id, agentId],
  )
  const complete = useSave({
    invalidates: ['conversations'],
    run: () => parley.conversations.complete(id),
    toast: 'Conversation completed',
    onDone: () => void session.open(),
  })
  const remove = useSave({
    invalidates: ['conversations', 'status'],
    run: () => parley.conversations.delete(id),
    toast: 'Conversation deleted',
    onDone: () => void navigate({ to: '/conversations' }),
  })
  if (conversation.error) return <ErrorPanel error={conversation.error} onRetry={() => void conversation.refetch()} />
  if (!conversation.data)
    return (
      <PageFrame title="Conversation" back={back}>
        <Loading />
      </PageFrame>
    )
  const join = () => {
    setHasJoined(true)
    void session.join().catch(showError)
  }
  const isCostKnown = state.messages.every(({ usage }) => !usage?.unpriced_requests)
  const isOwn = conversation.data.user_id === (me.data?.user_id ?? null)
  const ownName = me.data?.token.name ?? me.data?.user_id ?? 'Somebody'
  const { title, agent_id: agent, user_id: user, created_at: at, metadata, variables = {} } = conversation.data
  return (
    <PageFrame
      title={state.title ?? title ?? 'Conversation'}
      back={back}
      actions={
        <>
          <Badge tone={state.status === 'active' ? 'accent' : 'plain'}>{state.status}</Badge>
          {state.status === 'active' && (
            <Button icon={CircleCheck} busy={complete.isPending} onClick={() => complete.mutate(undefined)}>
              Complete
            </Button>
          )}
          <Confirm
            trigger={<IconButton icon={Trash2} label="Delete conversation" />}
            title="Delete this conversation?"
            text="Its messages are deleted permanently. Usage records are kept."
            action="Delete conversation"
            onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
          />
        </>
      }
    >
      <div className="reading">
        <Chat
          session={session}
          state={state}
          mayChat={hasJoined}
          mayEdit={isOwn}
          maySwitch
          mayDecide={may('converse')}
          mayAttach
          {...(may('write-configuration') && { actions })}
          empty={
            <Empty icon={MessagesSquare} title="No messages yet">
              What is said in this conversation appears here.
            </Empty>
          }
          notice={
            !isOwn && (
              <p className="chat-notice" role="status">
                You have joined. {user === null ? 'Whoever reads this conversation' : personName(user)} sees your
                messages with your name, <strong>{ownName}</strong>.
              </p>
            )
          }
          closed={
            may('converse') &&
            state.status === 'active' && (
              <p className="chat-closed">
                {isOwn ? 'This is your conversation.' : 'You are watching. The person does not see you.'}
                <Button small icon={isOwn ? MessageCircle : LogIn} onClick={join}>
                  {isOwn ? 'Continue conversation' : 'Join conversation'}
                </Button>
              </p>
            )
          }
        />
        <Card title="Details">
          <dl className="facts">
            <dt>Agent</dt>
            <dd>
              <Link to={`/agents/${agent}`}>{nameById(agents.data, agent)}</Link>
            </dd>
            <dt>User</dt>
            <dd>{user === null ? '–' : personName(user)}</dd>
            <dt>Started</dt>
            <dd>{dateTime(at)}</dd>
            <dt>Messages</dt>
            <dd>{totals.data ? count(totals.data.messages.total) : '–'}</dd>
            <dt>Tokens</dt>
            <dd>{totals.data ? count(totals.data.tokens.input + totals.data.tokens.output) : '–'}</dd>
            <dt>Cost</dt>
            <dd>{totals.data ? costText(totals.data.cost, isCostKnown) : '–'}</dd>
            <dt>ID</dt>
            <dd className="row nowrap">
              <code>{id}</code>
              <CopyButton text={id} label="Copy ID" />
            </dd>
            {Object.entries(variables).map(([name, value]) => (
              <div key={name} className="pair">
                <dt>
                  <code>{`{{${name}}}`}</code>
                </dt>
                <dd>{value}</dd>
              </div>
            ))}
            {Object.entries(metadata).map(([name, value]) => (
              <div key={name} className="pair">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </div>
    </PageFrame>
  )
}
