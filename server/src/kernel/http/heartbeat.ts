import { second } from '../time.ts'

/** An idle stream sends a comment this often, so that proxies do not close it. */
export const heartbeatEvery = 15 * second
export const heartbeatComment = ': alive\n\n'

/** Sent once when a stream stops because what follows cannot be stored. */
export const heldBackComment = ': the database does not respond, the stream goes on when it does\n\n'
