import { hash } from 'node:crypto'

/** A fast hash is enough for 32 random bytes, which cannot be guessed. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'hex')
