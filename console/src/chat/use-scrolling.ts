import type { Message } from '@parley/client'
import { useLayoutEffect, useRef } from 'react'

interface Log {
  messages: readonly Message[]
  isRunning: boolean
}

/** `onNearStart` is called this far before the reader reaches the first message. */
const startWithin = 800

/** Follows the end of a conversation while the reader is there. */
export function useScrolling({ messages, isRunning }: Log, onNearStart: () => void = () => {}) {
  const log = useRef<HTMLDivElement>(null)
  const isAtBottom = useRef(true)
  const before = useRef<{ first: string | undefined; height: number }>({ first: undefined, height: 0 })

  useLayoutEffect(() => {
    const element = log.current
    if (!element) return
    const first = messages[0]?.id
    const isPrepended = before.current.first !== first && messages.some(({ id }) => id === before.current.first)
    if (isAtBottom.current && (messages.length > 0 || isRunning)) element.scrollTop = element.scrollHeight
    // What the reader looks at stays in its place.
    else if (isPrepended) element.scrollTop += element.scrollHeight - before.current.height
    before.current = { first, height: element.scrollHeight }
  }, [messages, isRunning])

  const onScroll = () => {
    const element = log.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    isAtBottom.current = scrollHeight - scrollTop - clientHeight < 60
    before.current.height = scrollHeight
    if (scrollTop < startWithin) onNearStart()
  }
  return {
    log,
    onScroll,
    stayAtBottom: () => {
      isAtBottom.current = true
    },
  }
}
