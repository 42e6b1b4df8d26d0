import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import type { ChatSession } from '../../chat/chat-session.ts'
import { CheckField } from '../../ui/field.tsx'

/** Starts a chat without memory, if the agent has one. */
export function MemoryChoice({ agent, session }: { agent: string; session: ChatSession }) {
  const { data } = useQuery({
    queryKey: ['agents', agent],
    queryFn: ({ signal }) => parley.agents.get(agent, { signal }),
  })
  const [isOff, setIsOff] = useState(false)
  if (!data?.memory) return null
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
