import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { Ask } from '../ui/confirm.tsx'

interface LeavingProps {
  isChanged: boolean
  /** Whether it is being saved at this moment. */
  busy: boolean
}

/** Asks before a page is left over what is not saved. What only changes the rest of the address stays on the page. */
export function Leaving({ isChanged, busy }: LeavingProps) {
  const maySkip = useSaved({ isChanged, busy })
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await maySkip()),
    enableBeforeUnload: isChanged,
    disabled: !isChanged,
    withResolver: true,
  })
  return (
    <Ask
      open={blocker.status === 'blocked'}
      title="Leave without saving?"
      text="What you changed on this page is not saved yet, and would be lost."
      stay="Stay"
      action="Leave without saving"
      onStay={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}

/** Tells whether all is saved; while that is being done, as soon as it is known. */
function useSaved(now: LeavingProps): () => Promise<boolean> {
  const state = useRef(now)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    state.current = now
    if (!now.busy) for (const go of waiting.current.splice(0)) go()
  })
  useEffect(
    () => () => {
      // An editor makes place for a fresh one when what it wrote is saved.
      state.current = { isChanged: false, busy: false }
      for (const go of waiting.current.splice(0)) go()
    },
    [],
  )
  return useCallback(async () => {
    if (state.current.busy) await new Promise<void>((resolve) => waiting.current.push(resolve))
    return !state.current.isChanged
  }, [])
}
