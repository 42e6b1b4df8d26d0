import { useEffect, useState, useSyncExternalStore } from 'react'
import { Talk } from './talk.ts'

/** A conversation with an agent: an existing one, or one that begins with the first message. */
export function useTalk(agent: string, id: string | null, onStarted?: (id: string) => void) {
  const [talk, setTalk] = useState(() => new Talk(agent, id, onStarted))
  const state = useSyncExternalStore(talk.subscribe, talk.snapshot)
  useEffect(() => {
    void talk.open()
    return () => talk.close()
  }, [talk])
  // Whoever comes back to the window sees what was said meanwhile.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void talk.refresh()
    }
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [talk])
  return { talk, state, restart: () => setTalk(new Talk(agent, null, onStarted)) }
}
