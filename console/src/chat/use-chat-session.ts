import { useEffect, useState, useSyncExternalStore } from 'react'
import { ChatSession, otherTabs } from './chat-session.ts'

/** Messages of others appear in an open conversation within this time. */
const refreshEvery = 5000

/**
 * A conversation with an agent: an existing one, or a new one that starts with the first message. `target` is the message
 * that it opens at, instead of the last one. With `isWatching`, nothing that others see changes.
 */
export function useChatSession(
  agent: string,
  id: string | null,
  onStarted?: (id: string) => void,
  target: string | null = null,
  isWatching = false,
) {
  const [session, setSession] = useState(() => new ChatSession(agent, id, onStarted, target, isWatching))
  const state = useSyncExternalStore(session.subscribe, session.snapshot)
  useEffect(() => {
    void session.open()
    return () => session.close()
  }, [session])
  // Refresh when the user returns to the window, and regularly while they look at it.
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void session.refresh()
    }
    const refreshIfNamed = ({ data }: MessageEvent<string>) => {
      if (data === session.id) void session.refresh()
    }
    const poll = setInterval(() => document.visibilityState === 'visible' && void session.poll(), refreshEvery)
    addEventListener('focus', refresh)
    otherTabs.addEventListener('message', refreshIfNamed)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(poll)
      removeEventListener('focus', refresh)
      otherTabs.removeEventListener('message', refreshIfNamed)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [session])
  return { session, state, restart: () => setSession(new ChatSession(agent, null, onStarted)) }
}
