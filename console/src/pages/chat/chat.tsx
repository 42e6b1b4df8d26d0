import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMe } from '../../api/permissions.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { useListParams } from '../../ui/list.tsx'
import { ChatPane } from './chat-pane.tsx'
import { History } from './history.tsx'
import { Shortcuts, useShortcuts } from './shortcuts.tsx'

/** Chat with agents, with the caller's conversations at the left. The open one is in the URL. */
export default function ChatPage() {
  const { search, change } = useListParams()
  const navigate = useNavigate()
  const { data: me } = useMe()
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  // A new chat keeps its place on the page when its first message makes it a conversation.
  const [chat, setChat] = useState<{ number: number; id?: string }>({ number: 0 })
  const { conversation: id, agent, message } = search
  const isStartedHere = id === undefined || id === chat.id
  const key = isStartedHere ? `new ${chat.number} ${agent}` : `${id} ${message}`

  const conversation = useQuery({
    queryKey: ['conversations', id],
    queryFn: ({ signal }) => parley.conversations.get(id ?? '', { signal }),
    enabled: !isStartedHere,
  })
  const startNew = () => {
    setHistoryOpen(false)
    setChat(({ number }) => ({ number: number + 1 }))
    change({ conversation: undefined, message: undefined })
  }
  useShortcuts({ onNew: startNew, onList: () => setShowsShortcuts((is) => !is) })

  if (!me) return null
  const history = (
    <History
      me={me}
      current={id}
      onNew={startNew}
      onOpen={(next, found) => {
        setHistoryOpen(false)
        void navigate({ to: '/chat', search: { conversation: next, ...(found && { message: found }) } as never })
      }}
      onShortcuts={() => {
        setHistoryOpen(false)
        setShowsShortcuts(true)
      }}
    />
  )
  return (
    <div className="chat-page">
      <h1 className="visually-hidden">Chat</h1>
      <aside className="chat-history" aria-label="Chat history">
        {history}
      </aside>
      <Drawer open={isHistoryOpen} onOpenChange={setHistoryOpen} title="Chats">
        {history}
      </Drawer>
      {conversation.error ? (
        <ErrorPanel error={conversation.error} onRetry={() => void conversation.refetch()} />
      ) : (
        <ChatPane
          key={key}
          me={me}
          id={id ?? null}
          message={message ?? null}
          agent={isStartedHere ? agent : (conversation.data?.agent_id ?? '')}
          conversation={conversation.data}
          onAgent={(next) => change({ agent: next })}
          onStarted={(started) => {
            setChat(({ number }) => ({ number, id: started }))
            change({ conversation: started })
          }}
          onNew={startNew}
          onHistory={() => setHistoryOpen(true)}
        />
      )}
      <Shortcuts open={showsShortcuts} onOpenChange={setShowsShortcuts} />
    </div>
  )
}
