import { second } from '../time.ts'

/** A stream that is silent for this long sends a comment, so that nobody on its way takes it for dead. */
export const aliveEvery = 15 * second
export const signOfLife = ': alive\n\n'
