import { isParleyError, readEtag } from '@parley/client'
import { useMutation } from '@tanstack/react-query'
import { showError, showToast } from '../ui/toasts.tsx'
import { queries } from './queries.ts'

export interface SaveSettings<Body, Result> {
  /** Query keys to invalidate, by their first element. */
  invalidates: string[]
  run: (body: Body) => Promise<Result>
  toast?: string | ((result: Result) => string)
  onDone?: (result: Result) => void
}

/** A mutation that shows a toast and invalidates the queries it affects. */
export function useSave<Body, Result>({ invalidates, run, toast, onDone }: SaveSettings<Body, Result>) {
  return useMutation<Result, unknown, Body>({
    mutationFn: run,
    onSuccess: async (result) => {
      const text = typeof toast === 'function' ? toast(result) : toast
      if (text) showToast(text)
      onDone?.(result)
      await Promise.all(invalidates.map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
    onError: (error) => {
      // Validation errors are shown at their fields.
      if (!isParleyError(error, 'invalid_request') || error.details.length === 0) showError(error)
    },
  })
}

/** `If-Match` options, so that a concurrent change is not overwritten. */
export const onlyIfUnchanged = (resource: object): { ifMatch: string } | undefined => {
  const ifMatch = readEtag(resource)
  return ifMatch === undefined ? undefined : { ifMatch }
}
