import { MessageSquarePlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { queries } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { useListParams } from '../ui/list.tsx'
import { useChatSession } from './use-chat-session.ts'

/** A chat on a page. The conversation id is in the URL, so a reload continues it. */
export function usePageChat(agent: string) {
  const { search, change } = useListParams()
  const { session, state, restart } = useChatSession(agent, search.conversation ?? null, (conversation) => {
    change({ conversation })
    void queries.invalidateQueries({ queryKey: ['conversations'] })
  })
  const startNew = () => {
    change({ conversation: undefined })
    restart()
  }
  return { session, state, conversation: search.conversation, startNew }
}

interface ChatHeadProps {
  title: string
  isEmpty: boolean
  onNew: () => void
  children?: ReactNode
}

export const ChatHead = ({ title, isEmpty, onNew, children }: ChatHeadProps) => (
  <header className="chat-head">
    <h2 className="grow">{title}</h2>
    {children}
    <Button small variant="quiet" icon={MessageSquarePlus} disabled={isEmpty} onClick={onNew}>
      New
    </Button>
  </header>
)
