import { useEffect } from 'react'
import type { ChatSession } from './chat-session.ts'

/** Prints the whole conversation: the shortcut first loads the messages that are not shown yet, which the browser's own event cannot wait for. */
export function usePrinting(session: ChatSession, hasMore: boolean): void {
  useEffect(() => {
    if (!hasMore) return
    const print = async (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      await session.loadAll()
      requestAnimationFrame(() => window.print())
    }
    const listener = (event: KeyboardEvent) => void print(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [session, hasMore])
}
