import { Parley } from '@parley/client'
import { noteWait } from './rate-limit.ts'
import { currentPerson, currentWorkspace } from './session.ts'

/** The only access to the server: the console uses nothing but the public API. */
export const parley = new Parley({
  session: true,
  workspace: currentWorkspace,
  seenAs: currentPerson,
  onRetry: noteWait,
})
