import { Parley } from '@parley/client'
import { currentToken, currentWorkspace } from '../app/session.ts'

/** The one way to the service. The console uses nothing that other programs cannot use. */
export const parley = new Parley({ token: currentToken, workspace: currentWorkspace })
