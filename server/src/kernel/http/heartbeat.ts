import { second } from '../time.ts'

/** An idle stream sends a comment this often, so that proxies do not close it. */
export const heartbeatEvery = 15 * second
export const heartbeatComment = ': alive\n\n'
