import type { Message } from '@parley/client'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { showError } from '../ui/toasts.tsx'
import type { ChatSession } from './chat-session.ts'

/** Switches between the versions of a message, if there are several. */
export function MessageVersions({
  message,
  session,
  disabled,
}: {
  message: Message
  session: ChatSession
  disabled: boolean
}) {
  const { id, versions } = message
  const at = versions.indexOf(id)
  if (versions.length < 2) return null
  const show = (index: number) => {
    const version = versions[index]
    if (version) void session.activate(version).catch(showError)
  }
  return (
    <span className="message-versions while-idle">
      <IconButton
        icon={ChevronLeft}
        label="Previous version"
        disabled={disabled || at === 0}
        onClick={() => show(at - 1)}
      />
      <span>
        <span className="visually-hidden">Version </span>
        {at + 1} / {versions.length}
      </span>
      <IconButton
        icon={ChevronRight}
        label="Next version"
        disabled={disabled || at === versions.length - 1}
        onClick={() => show(at + 1)}
      />
    </span>
  )
}
