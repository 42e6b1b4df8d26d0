import { second } from '../time.ts'

/** How often an idle stream sends a comment, so that no proxy closes it. */
export const heartbeatEvery = 15 * second
export const heartbeatComment = ': alive\n\n'
