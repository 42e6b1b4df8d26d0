import type { Message } from '@parley/client'
import { useLayoutEffect, useRef } from 'react'

interface Log {
  messages: readonly Message[]
  isRunning: boolean
  /** The message to scroll to. */
  found?: string | null
}

/** `onNearStart` is called this far before the reader reaches the first message. */
const startWithin = 800

/** Follows the end of a conversation while the reader is there. */
export function useScrolling({ messages, isRunning, found }: Log, onNearStart: () => void = () => {}) {
  const log = useRef<HTMLDivElement>(null)
  const isAtBottom = useRef(true)
  const first = useRef<{ group: HTMLElement; top: number } | null>(null)

  // On every render, because the row above the first group comes and goes.
  useLayoutEffect(() => {
    const element = log.current
    if (!element) return
    const group = element.querySelector<HTMLElement>('.message-group')
    const before = first.current
    if (isAtBottom.current && (messages.length > 0 || isRunning)) element.scrollTop = element.scrollHeight
    // Messages were added above: the visible ones stay in place.
    else if (before?.group.isConnected && before.group !== group)
      element.scrollTop += before.group.offsetTop - before.top
    first.current = group && { group, top: group.offsetTop }
  })

  useLayoutEffect(() => {
    if (!found) return
    const show = () => document.getElementById(found)?.scrollIntoView({ block: 'center' })
    isAtBottom.current = false
    show()
    const frame = requestAnimationFrame(show) // once more, when the messages around it have their heights
    return () => cancelAnimationFrame(frame)
  }, [found])

  const onScroll = () => {
    const element = log.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    isAtBottom.current = scrollHeight - scrollTop - clientHeight < 60
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
