import { etagOf, isParleyError } from '@parley/client'
import { useMutation } from '@tanstack/react-query'
import { tell, tellError } from '../ui/toasts.tsx'
import { queries } from './queries.ts'

interface SaveSettings<Body, Result> {
  /** What it touches, as the beginning of query keys. */
  touches: string[]
  run: (body: Body) => Promise<Result>
  done?: string | ((result: Result) => string)
  onDone?: (result: Result) => void
}

/** Something that changes the service: says how it went and has what it touched read again. */
export function useSave<Body, Result>({ touches, run, done, onDone }: SaveSettings<Body, Result>) {
  return useMutation<Result, unknown, Body>({
    mutationFn: run,
    onSuccess: async (result) => {
      const text = typeof done === 'function' ? done(result) : done
      if (text) tell(text)
      onDone?.(result)
      await Promise.all(touches.map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
    onError: (error) => {
      if (isParleyError(error, 'precondition_failed')) {
        tellError(new Error('Somebody else has changed this since you opened it. Reload to see it, then try again.'))
      } else if (!isParleyError(error, 'invalid_request') || error.details.length === 0) tellError(error)
    },
  })
}

/** So that nobody's change is overwritten unseen. */
export const onlyIfUnchanged = (resource: object): { ifMatch: string } | undefined => {
  const ifMatch = etagOf(resource)
  return ifMatch === undefined ? undefined : { ifMatch }
}
