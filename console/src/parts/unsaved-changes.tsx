import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { ConfirmDialog } from '../ui/confirm.tsx'

interface UnsavedChangesProps {
  isChanged: boolean
  /** Whether a save is in progress. */
  busy: boolean
}

/** Asks before leaving a page with unsaved changes. Changes of the search parameters stay on the page. */
export function UnsavedChanges({ isChanged, busy }: UnsavedChangesProps) {
  const isSaved = useSaved({ isChanged, busy })
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await isSaved()),
    enableBeforeUnload: isChanged,
    disabled: !isChanged,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title="Leave without saving?"
      text="Your changes on this page are not saved and will be lost."
      cancelLabel="Keep editing"
      action="Leave without saving"
      onCancel={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}

/** Returns a check for unsaved changes that waits for a save in progress. */
function useSaved(now: UnsavedChangesProps): () => Promise<boolean> {
  const state = useRef(now)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    state.current = now
    if (!now.busy) for (const resume of waiting.current.splice(0)) resume()
  })
  useEffect(
    () => () => {
      // The editor is remounted after a save, so unmounting counts as saved.
      state.current = { isChanged: false, busy: false }
      for (const resume of waiting.current.splice(0)) resume()
    },
    [],
  )
  return useCallback(async () => {
    if (state.current.busy) await new Promise<void>((resolve) => waiting.current.push(resolve))
    return !state.current.isChanged
  }, [])
}
