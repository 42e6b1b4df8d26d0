import { useEffect, useState, useSyncExternalStore } from 'react'
import { ChatSession, otherTabs } from './chat-session.ts'

/**
 * A conversation with an agent: an existing one, or a new one that starts with the first message. `target` is the message
 * that it opens at, instead of the last one.
 */
export function useChatSession(
  agent: string,
  id: string | null,
  onStarted?: (id: string) => void,
  target: string | null = null,
) {
  const [session, setSession] = useState(() => new ChatSession(agent, id, onStarted, target))
  const state = useSyncExternalStore(session.subscribe, session.snapshot)
  useEffect(() => {
    void session.open()
    return () => session.close()
  }, [session])
  // Refresh when the user returns to the window.
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void session.refresh()
    }
    const refreshIfNamed = ({ data }: MessageEvent<string>) => {
      if (data === session.id) void session.refresh()
    }
    addEventListener('focus', refresh)
    otherTabs.addEventListener('message', refreshIfNamed)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      removeEventListener('focus', refresh)
      otherTabs.removeEventListener('message', refreshIfNamed)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [session])
  return { session, state, restart: () => setSession(new ChatSession(agent, null, onStarted)) }
}
