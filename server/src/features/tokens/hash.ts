import { hash } from 'node:crypto'

/** A secret of 32 random bytes needs no slow hash: there is nothing to guess. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'hex')
