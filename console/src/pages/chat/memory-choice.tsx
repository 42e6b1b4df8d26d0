import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMe } from '../../api/permissions.ts'
import type { ChatSession } from '../../chat/chat-session.ts'
import { CheckField } from '../../ui/field.tsx'

/** Starts a chat without memory, if the agent has one, or says why it remembers nothing. */
export function MemoryChoice({ agent, session }: { agent: string; session: ChatSession }) {
  const { data } = useQuery({
    queryKey: ['agents', agent],
    queryFn: ({ signal }) => parley.agents.get(agent, { signal }),
  })
  const me = useMe().data
  const [isOff, setIsOff] = useState(false)
  if (!data?.memory || !me) return null
  if (me.user_id === null)
    return (
      <p className="muted small">
        You are signed in with a token that names no user, so that nothing you say is remembered.{' '}
        <Link to="/settings">Create a token</Link> for yourself as a user, and sign in with it.
      </p>
    )
  return (
    <CheckField
      label="Without memory"
      hint="The agent recalls and remembers nothing in this chat."
      value={isOff}
      onChange={(is) => {
        setIsOff(is)
        session.usesMemory = !is
      }}
    />
  )
}
